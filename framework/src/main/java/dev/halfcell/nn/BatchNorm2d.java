package dev.halfcell.nn;

import dev.halfcell.tensor.Tensor;

/**
 * Normalises each channel over the batch while training, keeps running statistics of what it saw,
 * and uses these in evaluation.
 *
 * <p>Shapes: x and y [N, channels, H, W]; parameters gamma and beta [channels], statistics mean and
 * variance [channels]. The running variance takes in the unbiased one, M / (M − 1) times the
 * batch's. FP32 inside at every level. Op: {@link dev.halfcell.op.normalization.BatchNorm}.
 */
public final class BatchNorm2d extends BatchNormalization {
  /** Epsilon 1e-5, a momentum of 0.9 and statistics in one pass. */
  public BatchNorm2d(int channels) {
    this(channels, BatchNormOptions.defaults());
  }

  /** A normalisation of {@code channels} channels. */
  public BatchNorm2d(int channels, BatchNormOptions options) {
    super(channels, options);
  }

  /**
   * The same.
   *
   * @param momentum the share of the running statistics that a step keeps (PyTorch's momentum is
   *     the share it takes in)
   */
  public BatchNorm2d(int channels, double epsilon, double momentum) {
    this(channels, new BatchNormOptions(epsilon, momentum, false));
  }

  @Override
  void requireShape(Forward f, Tensor x) {
    f.rank(x, 4, "[N, C, H, W]");
  }
}
