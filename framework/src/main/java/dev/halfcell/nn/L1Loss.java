package dev.halfcell.nn;

import dev.halfcell.op.loss.L1;
import dev.halfcell.op.loss.LossReduction;

/** The absolute error. Op: {@link L1}. */
public final class L1Loss extends ElementwiseLoss {
  /** The mean over all elements. */
  public L1Loss() {
    this(LossReduction.MEAN);
  }

  /** The loss of another reduction. */
  public L1Loss(LossReduction reduction) {
    super(new L1(reduction));
  }
}
