package dev.halfcell.nn;

import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.MeanSquaredError;

/** The squared error. Op: {@link MeanSquaredError}. */
public final class MSELoss extends ElementwiseLoss {
  /** The mean over all elements. */
  public MSELoss() {
    this(LossReduction.MEAN);
  }

  /** The loss of another reduction. */
  public MSELoss(LossReduction reduction) {
    super(new MeanSquaredError(reduction));
  }
}
