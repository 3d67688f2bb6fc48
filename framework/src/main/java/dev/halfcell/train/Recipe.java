package dev.halfcell.train;

import dev.halfcell.nn.Cell;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/** One training step in ordinary Java: the standard one, or a user's own loop. */
@FunctionalInterface
public interface Recipe {
  /** Describes the step for these inputs and gives the loss to report. */
  Tensor describe(StepBuilder step, List<Tensor> inputs);

  /** Forward, backward, update of every parameter; {@code net} yields the loss itself. */
  static Recipe standard(Cell net, Optimizer optimizer) {
    return (step, inputs) -> {
      Tensor loss = step.forward(net, inputs.toArray(Tensor[]::new));
      step.applyGradients(optimizer, step.unscaledGradients(loss));
      return loss;
    };
  }
}
