package dev.halfcell.op.normalization;

import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x, gamma[, beta]) → y, [mean,] rstd: each group of elements of x divided by its deviation, with
 * or without its mean taken off first; then a scale and a shift for each parameter of the group.
 *
 * <p>The statistics are outputs for the gradient and are not differentiated on their own: rstd = 1
 * / √(mean of squares + epsilon), FP32 at least like the parameters.
 */
public sealed interface GroupwiseNormalization extends Normalization
    permits LayerNorm, GroupNorm, RmsNorm {
  /** What is added to the mean of squares. */
  double epsilon();

  /** What is normalised together. */
  Groups groups(List<TensorSpec> in);

  /** Whether the mean is taken off, and there is a shift. */
  boolean centered();

  @Override
  default boolean castable(int input) {
    return input == 0;
  }
}
