package dev.halfcell.backend;

import dev.halfcell.tensor.Tensor;
import java.util.List;

/**
 * A recorded step compiled for one signature of inputs and bound to the variables of a state. A
 * plan serves one thread at a time and throws, naming both, when that is broken.
 */
public interface Plan extends AutoCloseable {
  /**
   * Runs the step: computes, assigns to the state, and gives the results.
   *
   * @param inputs tensors of the graph's input specs
   * @return the outcome's results, in memory of the plan: they are valid until the next run
   */
  List<Tensor> run(List<Tensor> inputs);

  /** What was compiled, and what it takes. */
  PlanReport report();

  /** Frees the plan's memory. The state is not touched. */
  @Override
  void close();
}
