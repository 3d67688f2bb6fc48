package dev.halfcell.zoo.log;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * One event of a TensorBoard file as the bytes of its protocol buffer message.
 *
 * <p>Source: TensorBoard, compat/proto/event.proto (wall_time 1, step 2, file_version 3, summary 5)
 * and summary.proto (value 1 with tag 1 and simple_value 2).
 */
final class BoardEvent {
  private static final int WALL_TIME = 1;
  private static final int STEP = 2;
  private static final int FILE_VERSION = 3;
  private static final int SUMMARY = 5;
  private static final int VALUE = 1;
  private static final int TAG = 1;
  private static final int SIMPLE_VALUE = 2;

  private BoardEvent() {}

  /** The event that every file begins with. */
  static byte[] first(double seconds) {
    return message(
        out -> {
          out.writeDouble(WALL_TIME, seconds);
          out.writeString(FILE_VERSION, "brain.Event:2");
        });
  }

  /** Numbers of one step, by the tags that TensorBoard draws them under. */
  static byte[] scalars(double seconds, long step, Map<String, Double> numbers) {
    byte[] summary =
        message(
            out -> {
              for (Map.Entry<String, Double> number : numbers.entrySet()) {
                out.writeByteArray(VALUE, value(number.getKey(), number.getValue()));
              }
            });
    return message(
        out -> {
          out.writeDouble(WALL_TIME, seconds);
          out.writeInt64(STEP, step);
          out.writeByteArray(SUMMARY, summary);
        });
  }

  private static byte[] value(String tag, double number) {
    return message(
        out -> {
          out.writeString(TAG, tag);
          out.writeFloat(SIMPLE_VALUE, (float) number);
        });
  }

  /** What writes the fields of a message. */
  @FunctionalInterface
  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      fields.write(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("an array in memory takes all bytes", e);
    }
    return bytes.toByteArray();
  }
}
