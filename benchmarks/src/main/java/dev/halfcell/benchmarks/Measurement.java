package dev.halfcell.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What one process measured; it prints it as its last line, in JSON.
 *
 * @param losses before each step, warm-up included
 * @param stepMs the time of each timed step, in milliseconds
 * @param activationBytes what the forward pass keeps for the backward pass, where it is known
 * @param versions of what computed, by name
 */
record Measurement(
    List<Double> losses,
    List<Double> stepMs,
    OptionalLong activationBytes,
    Map<String, String> versions) {
  Measurement {
    losses = List.copyOf(losses);
    stepMs = List.copyOf(stepMs);
    versions = Map.copyOf(versions);
  }

  /** The median time of a step, in milliseconds. */
  double medianMs() {
    return Median.of(stepMs);
  }
}
