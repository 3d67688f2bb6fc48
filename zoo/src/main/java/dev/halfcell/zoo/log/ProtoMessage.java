package dev.halfcell.zoo.log;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A protocol buffer message that is being written, field by field. One thread.
 *
 * <p>Source: Protocol Buffers, "Encoding": each field its number and wire type as a varint, and its
 * value.
 */
final class ProtoMessage {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int DELIMITED = 2;
  private static final int FIXED_32 = 5;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** An {@code int64} or {@code enum}. */
  ProtoMessage whole(int field, long value) {
    return varint((long) field << 3 | VARINT).varint(value);
  }

  /** A {@code double}. */
  ProtoMessage fp64(int field, double value) {
    return varint((long) field << 3 | FIXED_64)
        .fixed(Double.doubleToRawLongBits(value), Double.BYTES);
  }

  /** A {@code float}. */
  ProtoMessage fp32(int field, float value) {
    return varint((long) field << 3 | FIXED_32).fixed(Float.floatToRawIntBits(value), Float.BYTES);
  }

  /** A {@code string}. */
  ProtoMessage text(int field, String value) {
    return delimited(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /** A message within this one. */
  ProtoMessage message(int field, ProtoMessage value) {
    return delimited(field, value.bytes());
  }

  private ProtoMessage delimited(int field, byte[] value) {
    ProtoMessage to = varint((long) field << 3 | DELIMITED).varint(value.length);
    bytes.writeBytes(value);
    return to;
  }

  /** Seven bits a byte, the lowest first; the top bit says that more follow. */
  private ProtoMessage varint(long value) {
    long rest = value;
    for (; rest >>> 7 != 0; rest >>>= 7) {
      bytes.write((int) rest & 0x7F | 0x80);
    }
    bytes.write((int) rest);
    return this;
  }

  /** The lowest byte first. */
  private ProtoMessage fixed(long bits, int size) {
    for (int i = 0; i < size; i++) {
      bytes.write((int) (bits >>> i * Byte.SIZE));
    }
    return this;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }
}
