package dev.halfcell.optim;

import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/** An optimizer that moves every parameter by one of the rules that are ops. */
public sealed interface RuleOptimizer extends ParameterOptimizer
    permits Adagrad, Adam, AdamW, Lamb, Lars, Momentum, RmsProp, Sgd {
  /** How a parameter moves. */
  UpdateRule rule();

  @Override
  default List<String> slots() {
    return rule().slots();
  }

  @Override
  default void update(ParameterUpdate of) {
    Tensor[] counter = rule().counted() ? new Tensor[] {of.applied()} : new Tensor[0];
    of.assign(rule(), slots(of.parameter()), counter);
  }
}
