package dev.halfcell.benchmarks.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The values that every contender starts from, read one tensor after the other from a file of
 * little-endian FP32: the parameters in the network's order, the batch, its labels.
 */
final class StartValues implements AutoCloseable {
  private final FileChannel file;

  private StartValues(FileChannel file) {
    this.file = file;
  }

  static StartValues open(Path file) throws IOException {
    return new StartValues(FileChannel.open(file));
  }

  /** The values of the next tensor. */
  float[] next(long... sizes) {
    int count = 1;
    for (long size : sizes) {
      count = Math.multiplyExact(count, Math.toIntExact(size));
    }
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(count, Float.BYTES));
    fill(bytes);
    float[] values = new float[count];
    bytes.flip().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
    return values;
  }

  private void fill(ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        if (file.read(bytes) < 0) {
          throw new IllegalArgumentException("the peer's network has more values than the start");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Throws if a tensor was not read: then the networks are not the same. */
  void requireNoneLeft() throws IOException {
    long left = (file.size() - file.position()) / Float.BYTES;
    if (left > 0) {
      throw new IllegalArgumentException(
          left + " start values have no place in the peer's network");
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
