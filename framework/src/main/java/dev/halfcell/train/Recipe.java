package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Cell;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/** One training step in ordinary Java: the standard one, or a user's own loop. */
@FunctionalInterface
public interface Recipe {
  /** Describes the step for these inputs and gives the loss to report. */
  Tensor describe(StepBuilder step, List<Tensor> inputs);

  /** Whether it wants the gradient of a parameter; one that it does not is a constant. */
  default boolean trains(Variable parameter) {
    return true;
  }

  /**
   * Forward, backward, update of every parameter that is not frozen; {@code net} yields the loss
   * itself.
   *
   * @throws dev.halfcell.tensor.UsageException where the optimizer's groups do not fit the network
   */
  static Recipe standard(Cell net, Optimizer optimizer) {
    optimizer.require(Trainable.of(net));
    return new Standard(net, optimizer);
  }

  /** The step of {@link #standard}. */
  record Standard(Cell net, Optimizer optimizer) implements Recipe {
    @Override
    public Tensor describe(StepBuilder step, List<Tensor> inputs) {
      Tensor loss = step.forward(net, inputs.toArray(Tensor[]::new));
      step.requireRead(Trainable.of(net).stream().filter(this::trains).toList());
      step.apply(optimizer, step.gradients(loss));
      return loss;
    }

    @Override
    public boolean trains(Variable parameter) {
      return optimizer.of(parameter).isPresent();
    }
  }
}
