package dev.halfcell.op.normalization;

import dev.halfcell.op.Backward;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (d, x, gamma, [mean,] rstd) → dx, dgamma[, dbeta]: the gradient of a {@link
 * GroupwiseNormalization}. With n = (x − mean) · rstd and g = gamma · d: dbeta = Σ d and dgamma = Σ
 * d · n, over all elements that share the parameter, FP32 at least; dx = rstd · (g − mean of g − n
 * · mean of g · n), means over the group; without a mean in the formula of y, there is no mean of
 * g.
 */
public sealed interface GroupwiseGradient extends Normalization
    permits LayerNormGradient, GroupNormGradient, RmsNormGradient {
  /** What was normalised together. */
  Groups groups(List<TensorSpec> in);

  /** Whether the mean was taken off, and there is a shift. */
  boolean centered();

  @Override
  default List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
