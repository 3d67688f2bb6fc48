package dev.halfcell.optim;

import dev.halfcell.backend.Variable;
import dev.halfcell.op.update.Schedule;
import java.util.List;
import java.util.Optional;

/**
 * An optimizer that moves each parameter by the same hyper-parameters. The {@link RuleOptimizer}s
 * are one op for each parameter; an own one may describe its update in any ops.
 */
public non-sealed interface ParameterOptimizer extends Optimizer {
  /** The names of the slots that it keeps for each parameter; each has the parameter's shape. */
  List<String> slots();

  /** Describes the update of one parameter and its slots; see {@link ParameterUpdate#assign}. */
  void update(ParameterUpdate of);

  /**
   * Whether a gradient that comes as rows has to reach it as rows, since it moves the parameter
   * otherwise than the same gradient as a whole does. Where rows become whole on their way, in
   * windows of micro-batches and over several ranks, a step with it is refused.
   */
  default boolean needsRows() {
    return false;
  }

  /** The same with another learning rate. */
  ParameterOptimizer withLearningRate(Schedule rate);

  /** The same with another weight decay, of the same kind (L2 or decoupled). */
  ParameterOptimizer withWeightDecay(double decay);

  @Override
  default Optional<ParameterOptimizer> of(Variable parameter) {
    return Optional.of(this);
  }

  /** The same, but with some parameters moved otherwise or not at all. */
  default ParameterGroups groups(ParameterGroup... groups) {
    return new ParameterGroups(this, List.of(groups));
  }
}
