package dev.halfcell.rest.service;

import java.util.Map;
import java.util.Optional;

/**
 * A line of {@code metrics.jsonl}.
 *
 * @param step of which it is; none where it tells what was measured when an epoch was over
 * @param epoch from 1
 * @param values numbers by name; NaN where one was not finite
 * @param overflow whether the step overflowed
 * @param applied whether parameters moved
 * @param offender what was first not finite, where that is told
 */
record StepRow(
    Optional<Long> step,
    int epoch,
    Map<String, Double> values,
    boolean overflow,
    boolean applied,
    Optional<Offender> offender) {
  /** What was first not finite in a step. */
  record Offender(
      String path,
      String op,
      String direction,
      String dtype,
      String kind,
      double zeros,
      double subnormals) {}

  double value(String name) {
    return values.getOrDefault(name, Double.NaN);
  }
}
