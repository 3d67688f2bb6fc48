package dev.halfcell.op.loss;

import dev.halfcell.op.Backward;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/**
 * (x, target) → the binary cross entropy −target · log p − (1 − target) · log(1 − p), p =
 * sigmoid(x), computed as max(x, 0) − x · target + log(1 + exp(−|x|)), in which nothing overflows.
 * Gradient: by x only; targets are data.
 */
public record BceWithLogits(LossReduction reduction) implements ElementLoss {
  /** The mean. */
  public BceWithLogits() {
    this(LossReduction.MEAN);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(b.ops().run(new ElementLossGradient(this), b.in(0), b.in(1), b.d()));
  }
}
