package dev.halfcell.nn;

import dev.halfcell.op.loss.SmoothL1;

/** Squared where near, absolute where far. Op: {@link SmoothL1}. */
public final class SmoothL1Loss extends ElementwiseLoss {
  /** A beta of 1. */
  public SmoothL1Loss() {
    this(1);
  }

  /** Squared up to a distance of {@code beta}. */
  public SmoothL1Loss(double beta) {
    super(new SmoothL1(beta));
  }
}
