package dev.halfcell.nn;

import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.SmoothL1;

/** Squared where near, absolute where far. Op: {@link SmoothL1}. */
public final class SmoothL1Loss extends ElementwiseLoss {
  /** The mean over all elements, with a beta of 1. */
  public SmoothL1Loss() {
    this(1);
  }

  /** The mean over all elements; squared up to a distance of {@code beta}. */
  public SmoothL1Loss(double beta) {
    this(beta, LossReduction.MEAN);
  }

  /** The loss of another reduction. */
  public SmoothL1Loss(double beta, LossReduction reduction) {
    super(new SmoothL1(beta, reduction));
  }
}
