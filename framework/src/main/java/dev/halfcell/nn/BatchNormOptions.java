package dev.halfcell.nn;

import dev.halfcell.tensor.ArgumentException;

/**
 * What can be chosen of a batch normalisation. Immutable.
 *
 * @param epsilon what is added to the variance
 * @param momentum the share of the running statistics that a step keeps (PyTorch's momentum is the
 *     share it takes in)
 * @param stable whether the mean is subtracted before the variance is taken, in a second pass; see
 *     {@link dev.halfcell.op.normalization.BatchNorm}
 */
public record BatchNormOptions(double epsilon, double momentum, boolean stable) {
  public BatchNormOptions {
    ArgumentException.require(epsilon > 0, "BatchNorm epsilon", "a number above 0", epsilon);
    ArgumentException.require(
        momentum >= 0 && momentum <= 1, "BatchNorm momentum", "0 to 1", momentum);
  }

  /** Epsilon 1e-5, a momentum of 0.9 and statistics in one pass. */
  public static BatchNormOptions defaults() {
    return new BatchNormOptions(1e-5, 0.9, false);
  }

  /** The same with statistics in two passes. */
  public BatchNormOptions stableStatistics() {
    return new BatchNormOptions(epsilon, momentum, true);
  }
}
