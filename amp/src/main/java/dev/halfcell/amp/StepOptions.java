package dev.halfcell.amp;

import dev.halfcell.op.precision.LossScale;
import dev.halfcell.train.Accumulation;
import dev.halfcell.train.StepRules;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What can be said about the step: all that says when and with what it is applied. Each method
 * gives a changed copy.
 *
 * @param lossScale the rule of the loss scale; none given means the level's own
 * @param accumulation how many batches make a step
 * @param rules when a step counts as refused, and what follows
 */
public record StepOptions(
    Optional<LossScale> lossScale, Accumulation accumulation, StepRules rules) {
  /** The level's loss scale; each batch is a step; a step that is refused is skipped. */
  public static StepOptions defaults() {
    return new StepOptions(Optional.empty(), Accumulation.none(), StepRules.defaults());
  }

  /** With this loss scale. */
  public StepOptions lossScale(LossScale rule) {
    return new StepOptions(Optional.of(rule), accumulation, rules);
  }

  /** With several micro-batches to a step. */
  public StepOptions accumulation(Accumulation window) {
    return new StepOptions(lossScale, window, rules);
  }

  /** With other rules. */
  public StepOptions rules(UnaryOperator<StepRules> change) {
    return new StepOptions(lossScale, accumulation, change.apply(rules));
  }
}
