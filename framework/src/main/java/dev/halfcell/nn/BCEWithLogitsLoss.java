package dev.halfcell.nn;

import dev.halfcell.op.loss.BceWithLogits;
import dev.halfcell.op.loss.LossReduction;

/**
 * The binary cross entropy of logits, each on its own, to targets from 0 to 1. Op: {@link
 * BceWithLogits}.
 */
public final class BCEWithLogitsLoss extends ElementwiseLoss {
  /** The mean over all elements. */
  public BCEWithLogitsLoss() {
    this(LossReduction.MEAN);
  }

  /** The loss of another reduction. */
  public BCEWithLogitsLoss(LossReduction reduction) {
    super(new BceWithLogits(reduction));
  }
}
