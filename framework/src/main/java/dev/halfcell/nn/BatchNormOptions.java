package dev.halfcell.nn;

import dev.halfcell.op.normalization.Normalization;
import dev.halfcell.op.normalization.RunningAverage;

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
    Normalization.requireEpsilon("BatchNorm", epsilon);
    RunningAverage.requireMomentum("BatchNorm", momentum);
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
