package dev.halfcell.benchmarks.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The values that every contender starts from, read one after the other from a file of
 * little-endian FP32: the parameters in the network's order, the batch, its labels.
 */
final class StartValues {
  private final FloatBuffer rest;

  private StartValues(FloatBuffer rest) {
    this.rest = rest;
  }

  static StartValues read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    return new StartValues(bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer());
  }

  /** The values of the next tensor. */
  float[] next(long... sizes) {
    int count = 1;
    for (long size : sizes) {
      count = Math.multiplyExact(count, Math.toIntExact(size));
    }
    float[] values = new float[count];
    rest.get(values);
    return values;
  }

  /** Throws if a tensor was not read: then the networks are not the same. */
  void requireNoneLeft() {
    if (rest.hasRemaining()) {
      throw new IllegalArgumentException(
          rest.remaining() + " start values have no place in the peer's network");
    }
  }
}
