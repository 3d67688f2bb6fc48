package dev.halfcell.op.shape;

import java.util.List;
import java.util.stream.IntStream;

/** Numbers by axis. */
final class Axes {
  private Axes() {}

  /** The same number for each of {@code rank} axes, and another for one of them. */
  static List<Integer> allBut(int rank, int usual, int axis, int other) {
    return IntStream.range(0, rank).map(a -> a == axis ? other : usual).boxed().toList();
  }

  /** Whether no number is below {@code least}. */
  static boolean atLeast(int least, List<Integer> numbers) {
    return numbers.stream().allMatch(n -> n >= least);
  }
}
