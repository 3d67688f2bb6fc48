package dev.halfcell.op;

import dev.halfcell.tensor.Tensor;
import java.util.List;

/**
 * Runs, records, casts or checks one op. Autodiff, precision, tracing and fault injection are
 * decorators of it. One thread at a time.
 */
@FunctionalInterface
public interface Executor {
  /** The outputs of {@code op} for these inputs, on behalf of the cell at {@code at}. */
  List<Tensor> execute(Op op, List<Tensor> in, CellPath at);

  /**
   * What runs the ops of this part of a step: this executor, unless it tells the parts apart. A
   * decorator that stands below a tape asks the one that it decorates.
   */
  default Executor in(Direction part) {
    return this;
  }

  /**
   * What a cell sees of a parameter that it reads: the value, unless a precision plan hands out
   * something else. What is decorated above a plan asks the one that it decorates.
   *
   * @param at the cell that reads
   * @param name the parameter's name in it
   */
  default Tensor parameter(Tensor value, CellPath at, String name) {
    return value;
  }

  /**
   * Whether a precision plan's casting rules are part of it, so that no second ones are put before
   * it. What is decorated above a plan asks the one that it decorates.
   */
  default boolean castsByPlan() {
    return false;
  }
}
