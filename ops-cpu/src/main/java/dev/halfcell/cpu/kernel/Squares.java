package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.DType;
import java.util.Arrays;
import java.util.stream.IntStream;

/** A sum of squares in double, in as many lanes as keep whole vectors busy. One thread. */
final class Squares {
  private static final int LANES = 256;
  private static final boolean VECTORS = VectorModule.usable();

  private final double[] lanes = new double[LANES];

  private Squares() {}

  /** One for each of so many parts. */
  static Squares[] of(KernelBuilder builder, int parts) {
    return IntStream.range(0, parts)
        .mapToObj(
            part -> builder.scratch(part).take(Squares.class, LANES, 8L * LANES, Squares::new))
        .toArray(Squares[]::new);
  }

  /** Begins at 0. */
  void clear() {
    Arrays.fill(lanes, 0);
  }

  /** Adds the squares of {@code count} numbers. */
  void add(float[] values, int count) {
    for (int start = 0; start < count; start += LANES) {
      add(values, start, Math.min(LANES, count - start));
    }
  }

  /**
   * Adds the squares of {@code count} floats at an address, each multiplied by {@code factor}
   * before: the same bits. Only of an operand that is {@link #straight}.
   */
  void add(long address, float factor, int count) {
    for (int start = 0; start < count; start += LANES) {
      SquareVectors.add(address + 4L * start, factor, lanes, Math.min(LANES, count - start));
    }
  }

  /**
   * Adds the squares of the elements {@code from} to {@code to} of an operand.
   *
   * @param room to fetch elements into, where they are not floats that are squared where they lie
   */
  void add(Operand x, int from, int to, Chunk room) {
    if (straight(x)) {
      add(x.address(from, to - from), 1, to - from);
      return;
    }
    for (int at = from; at < to; at += Chunk.SIZE) {
      int count = Math.min(Chunk.SIZE, to - at);
      room.load(x, at, count);
      add(room.values, count);
    }
  }

  /** Whether elements can be squared where they lie. */
  static boolean straight(Operand x) {
    return VECTORS && x.dtype() == DType.FP32;
  }

  private void add(float[] values, int start, int count) {
    for (int i = 0; i < count; i++) {
      double value = values[start + i];
      lanes[i] += value * value;
    }
  }

  /** The sum. */
  double sum() {
    double sum = 0;
    for (double lane : lanes) {
      sum += lane;
    }
    return sum;
  }

  /** The sum over one chunk: in four running sums, for one would wait for itself at every step. */
  static double sum(float[] values, int count) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    int i = 0;
    for (; i + 3 < count; i += 4) {
      a += (double) values[i] * values[i];
      b += (double) values[i + 1] * values[i + 1];
      c += (double) values[i + 2] * values[i + 2];
      d += (double) values[i + 3] * values[i + 3];
    }
    for (; i < count; i++) {
      a += (double) values[i] * values[i];
    }
    return a + b + (c + d);
  }
}
