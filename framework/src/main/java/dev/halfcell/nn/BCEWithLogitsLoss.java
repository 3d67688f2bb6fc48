package dev.halfcell.nn;

import dev.halfcell.op.loss.BceWithLogits;

/**
 * The binary cross entropy of logits, each on its own, to targets from 0 to 1. Op: {@link
 * BceWithLogits}.
 */
public final class BCEWithLogitsLoss extends ElementwiseLoss {
  /** The loss has nothing to set. */
  public BCEWithLogitsLoss() {
    super(new BceWithLogits());
  }
}
