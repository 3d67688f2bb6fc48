package dev.halfcell.optim;

import dev.halfcell.backend.Variable;
import dev.halfcell.op.update.RowsRule;
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

  /** Whether of a parameter whose gradient has come as rows only those rows move. */
  default boolean movesRowsAlone() {
    return false;
  }

  @Override
  default void update(ParameterUpdate of) {
    Tensor[] counter = rule().counted() ? new Tensor[] {of.applied()} : new Tensor[0];
    List<Variable> slots = slots(of.parameter());
    of.rows()
        .filter(_ -> movesRowsAlone())
        .ifPresentOrElse(
            rows -> of.assign(new RowsRule(rule()), slots, rows, counter),
            () -> of.assign(rule(), slots, counter));
  }
}
