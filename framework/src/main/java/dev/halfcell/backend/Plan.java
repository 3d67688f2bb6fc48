package dev.halfcell.backend;

import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

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

  /**
   * The same, and tells when its tasks end.
   *
   * @throws UsageException where the backend does not {@link Backend#watchesTasks}
   */
  default List<Tensor> run(List<Tensor> inputs, TaskWatch watch) {
    throw new UsageException(
        new Problem(
            "Plan",
            "",
            "a plan that tells when its tasks end",
            "one that does not",
            "Profile on a backend that can: cpu or reference."));
  }

  /**
   * Has the inputs of the next run brought to where it reads them, while the last one is still
   * computed. Results of the last run are not touched. Where the next run takes others after all,
   * it is as if this had not been called.
   *
   * @param next the inputs, which may not change until the next run; asked for, on this thread,
   *     only where that saves time; none where nobody knows them
   */
  default void prepare(Supplier<Optional<List<Tensor>>> next) {}

  /** What was compiled, and what it takes. */
  PlanReport report();

  /** Frees the plan's memory. The state is not touched. */
  @Override
  void close();
}
