package dev.halfcell.op.loss;

import dev.halfcell.tensor.ArgumentException;

/**
 * (x, target) → a² / (2 beta) where a = |x − target| is below beta, else a − beta / 2. Source:
 * Girshick, "Fast R-CNN", ICCV 2015, equations 2 and 3 (there beta is 1).
 */
public record SmoothL1(double beta, LossReduction reduction) implements ElementLoss {
  public SmoothL1 {
    ArgumentException.require(
        beta > 0 && Double.isFinite(beta), "SmoothL1 beta", "a finite number above 0", beta);
  }

  /** The mean. */
  public SmoothL1(double beta) {
    this(beta, LossReduction.MEAN);
  }
}
