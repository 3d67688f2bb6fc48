package dev.halfcell.backend;

import java.util.List;

/**
 * What a plan takes.
 *
 * @param activationBytes what the forward pass keeps for the backward pass: activations, masks,
 *     indices and workspaces; not the bound batch, parameters or casts of them
 * @param peakBytes all memory that the plan allocates for itself, state and bound batch not counted
 * @param heapBytes what its kernels work in on the heap at most; plans of a backend share it
 * @param stateBytes the variables of the state that it is bound to: parameters, slots, statistics
 * @param schedule a line for each step of the plan
 */
public record PlanReport(
    long activationBytes, long peakBytes, long heapBytes, long stateBytes, List<String> schedule) {
  public PlanReport {
    schedule = List.copyOf(schedule);
  }
}
