package dev.halfcell.backend;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a plan does and takes.
 *
 * @param memory what it takes
 * @param schedule its tasks, in their order
 */
public record PlanReport(Memory memory, List<PlannedTask> schedule) {
  public PlanReport {
    schedule = List.copyOf(schedule);
  }

  /**
   * The bytes that a plan takes.
   *
   * @param activations what the forward pass keeps for the backward pass: activations, masks,
   *     indices and workspaces; not the bound batch, parameters or casts of them
   * @param peak all memory that the plan allocates for itself, state and bound batch not counted
   * @param bound what {@code peak} can be at least, by the lifetimes of what it holds; none where
   *     nothing is planned by them
   * @param constants what {@code peak} holds of values known when the step was recorded
   * @param heap what its kernels work in on the heap at most; plans of a backend share it
   * @param state the variables of the state that it is bound to: parameters, slots, statistics
   */
  public record Memory(
      long activations, long peak, OptionalLong bound, long constants, long heap, long state) {}

  /** See {@link Memory}. */
  public long activationBytes() {
    return memory.activations();
  }

  /** See {@link Memory}. */
  public long peakBytes() {
    return memory.peak();
  }

  /** See {@link Memory}. */
  public long heapBytes() {
    return memory.heap();
  }

  /** See {@link Memory}. */
  public long stateBytes() {
    return memory.state();
  }

  /** The floating-point operations of a run. */
  public long flops() {
    return schedule.stream().mapToLong(task -> task.cost().flops()).sum();
  }
}
