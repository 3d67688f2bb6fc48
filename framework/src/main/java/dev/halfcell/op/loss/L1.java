package dev.halfcell.op.loss;

/** (x, target) → |x − target|. */
public record L1(LossReduction reduction) implements ElementLoss {
  /** The mean. */
  public L1() {
    this(LossReduction.MEAN);
  }
}
