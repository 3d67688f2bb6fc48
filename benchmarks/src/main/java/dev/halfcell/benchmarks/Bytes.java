package dev.halfcell.benchmarks;

import java.util.OptionalLong;

/**
 * Memory, as far as it is known.
 *
 * @param activations what the forward pass keeps for the backward pass
 * @param planned what a step was planned to compute in: {@code PlanReport.peakBytes}
 * @param resident the most that the process held, with Java and its libraries
 */
record Bytes(OptionalLong activations, OptionalLong planned, OptionalLong resident) {}
