package dev.halfcell.testkit;

import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/** How a tensor of a test is filled. */
@FunctionalInterface
public interface Fill {
  /** The elements of a tensor of this many. */
  double[] values(Generator generator, int size);

  /** The same elements, each sent through {@code to}. */
  default Fill map(DoubleUnaryOperator to) {
    return (generator, size) -> Arrays.stream(values(generator, size)).map(to).toArray();
  }

  /** From -3 to 3: sums and products of them are exact in every dtype's accumulator. */
  static Fill integers() {
    return (g, size) -> each(size, () -> g.integer(-3, 3));
  }

  /** Normally distributed. */
  static Fill normals() {
    return (g, size) -> each(size, g::normal);
  }

  /** {@link #integers}, or {@link #normals}. */
  static Fill exact(boolean holds) {
    return holds ? integers() : normals();
  }

  /** Between 0.5 and about 4, as scales and variances are. */
  static Fill positives() {
    return (g, size) -> each(size, () -> 0.5 + Math.abs(g.normal()));
  }

  /** At least 1/4 away from 0, where a derivative may jump. */
  static Fill awayFromZero() {
    return (g, size) ->
        each(
            size,
            () -> {
              double x = g.normal();
              return x + (x < 0 ? -0.25 : 0.25);
            });
  }

  /** No two alike, at least 1/8 apart, so that a maximum does not change hands. */
  static Fill distinct() {
    return (g, size) ->
        Arrays.stream(g.permutation(size)).mapToDouble(i -> (i - size / 2) / 8.0).toArray();
  }

  /** Whole numbers from 0 to {@code count} - 1. */
  static Fill labels(int count) {
    return (g, size) -> each(size, () -> g.integer(0, count - 1));
  }

  /** The same number everywhere. */
  static Fill constant(double value) {
    return (_, size) -> each(size, () -> value);
  }

  private static double[] each(int size, DoubleSupplier value) {
    return IntStream.range(0, size).mapToDouble(_ -> value.getAsDouble()).toArray();
  }
}
