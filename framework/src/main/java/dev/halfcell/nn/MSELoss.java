package dev.halfcell.nn;

import dev.halfcell.op.loss.MeanSquaredError;

/** The mean squared error. Op: {@link MeanSquaredError}. */
public final class MSELoss extends ElementwiseLoss {
  /** The loss has nothing to set. */
  public MSELoss() {
    super(new MeanSquaredError());
  }
}
