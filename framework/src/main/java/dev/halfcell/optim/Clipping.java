package dev.halfcell.optim;

import dev.halfcell.backend.Variable;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.tensor.ArgumentException;
import java.util.Collection;
import java.util.Optional;

/** Another optimizer on bounded gradients. */
public record Clipping(Optimizer optimizer, GradientClip clip) implements Optimizer {
  public Clipping {
    ArgumentException.require(
        !(optimizer instanceof Clipping), "gradient clip", "one for an optimizer", "a second one");
  }

  @Override
  public Schedule learningRate() {
    return optimizer.learningRate();
  }

  @Override
  public Optional<ParameterOptimizer> of(Variable parameter) {
    return optimizer.of(parameter);
  }

  @Override
  public void require(Collection<Variable> parameters) {
    optimizer.require(parameters);
  }
}
