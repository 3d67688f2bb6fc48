package dev.halfcell.benchmarks;

import java.util.List;

/**
 * What one process measured of a network's first steps; it prints it as its last line, in JSON.
 *
 * @param compileMs how long the plan of a step took to compile, in milliseconds
 * @param stepMs the time of each step, in milliseconds
 */
record FirstSteps(double compileMs, List<Double> stepMs) {
  FirstSteps {
    stepMs = List.copyOf(stepMs);
  }

  /** The median of the steps behind the first half, in milliseconds. */
  double settledMs() {
    return Median.of(stepMs.subList(stepMs.size() / 2, stepMs.size()));
  }
}
