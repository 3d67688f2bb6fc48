package dev.halfcell.amp;

import dev.halfcell.op.precision.LossScale;
import dev.halfcell.train.Accumulation;
import java.util.Optional;

/**
 * What can be said about the step: all that says when and with what it is applied. Each method
 * gives a changed copy.
 *
 * @param lossScale the rule of the loss scale; none given means the level's own
 * @param accumulation how many batches make a step
 */
public record StepOptions(Optional<LossScale> lossScale, Accumulation accumulation) {
  /** The level's loss scale; each batch is a step. */
  public static StepOptions defaults() {
    return new StepOptions(Optional.empty(), Accumulation.none());
  }

  /** With this loss scale. */
  public StepOptions lossScale(LossScale rule) {
    return new StepOptions(Optional.of(rule), accumulation);
  }

  /** With several micro-batches to a step. */
  public StepOptions accumulation(Accumulation window) {
    return new StepOptions(lossScale, window);
  }
}
