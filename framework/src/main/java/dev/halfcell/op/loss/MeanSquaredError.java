package dev.halfcell.op.loss;

/** (x, target) → (x − target)². */
public record MeanSquaredError(LossReduction reduction) implements ElementLoss {
  /** The mean. */
  public MeanSquaredError() {
    this(LossReduction.MEAN);
  }
}
