package dev.halfcell.optim;

import dev.halfcell.backend.Variable;
import dev.halfcell.op.update.Schedule;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * How the parameters of a network move, as a value: it holds no state. A {@link ParameterOptimizer}
 * moves all of them alike; {@link ParameterGroups} move some of them otherwise or not at all;
 * {@link Clipping} bounds the gradients that either of them sees. Immutable; threads may share it.
 */
public sealed interface Optimizer permits Clipping, ParameterGroups, ParameterOptimizer {
  /** The learning rate by applied steps of the parameters that no group says otherwise of. */
  Schedule learningRate();

  /** How this parameter moves; nothing where it is frozen. */
  Optional<ParameterOptimizer> of(Variable parameter);

  /** What bounds the gradients. */
  default GradientClip clip() {
    return new GradientClip.None();
  }

  /**
   * Throws where what is said of parameters does not fit these: the trainable ones of a network.
   *
   * @throws dev.halfcell.tensor.UsageException where a pattern matches none of them, or something
   *     is said of one of them twice
   */
  default void require(Collection<Variable> parameters) {}

  /** The slots of a parameter: FP32, of its shape, zero at the start. */
  default List<Variable> slots(Variable parameter) {
    return of(parameter).stream()
        .flatMap(optimizer -> optimizer.slots().stream())
        .map(parameter::slot)
        .toList();
  }

  /** The same with bounded gradients. */
  default Optimizer clip(GradientClip clip) {
    return new Clipping(this, clip);
  }
}
