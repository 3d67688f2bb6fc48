package dev.halfcell.benchmarks;

import java.util.List;
import java.util.Map;

/**
 * What one process measured; it prints it as its last line, in JSON.
 *
 * @param losses before each step
 * @param stepMs the time of each step, in milliseconds
 * @param bytes what it held
 * @param versions of what computed, by name
 */
record Measurement(
    List<Double> losses, List<Double> stepMs, Bytes bytes, Map<String, String> versions) {
  /** The share of the steps that warms up: Java compiles, libraries choose, caches fill. */
  private static final int WARMUP = 3;

  Measurement {
    losses = List.copyOf(losses);
    stepMs = List.copyOf(stepMs);
    versions = Map.copyOf(versions);
  }

  /** The times of the steps behind the first third, and behind the first one, if there are more. */
  List<Double> timedMs() {
    int warmup = Math.min(stepMs.size() - 1, Math.max(1, stepMs.size() / WARMUP));
    return stepMs.subList(Math.max(0, warmup), stepMs.size());
  }

  /** How long all steps took. */
  double seconds() {
    return stepMs.stream().mapToDouble(ms -> ms).sum() / 1000;
  }

  /** The median time of a step, in milliseconds. */
  double medianMs() {
    return Median.of(timedMs());
  }
}
