package dev.halfcell.benchmarks;

import java.util.List;

/** The middle of measured times. */
final class Median {
  private Median() {}

  /** The middle value, or the mean of the two middle ones. */
  static double of(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("the median of no values");
    }
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
