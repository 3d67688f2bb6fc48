package dev.halfcell.nn;

import dev.halfcell.op.loss.L1;

/** The mean absolute error. Op: {@link L1}. */
public final class L1Loss extends ElementwiseLoss {
  /** The loss has nothing to set. */
  public L1Loss() {
    super(new L1());
  }
}
