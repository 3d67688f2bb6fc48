package dev.halfcell.op.normalization;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x, gamma, beta) → y = gamma · (x − mean) / √(variance + epsilon) + beta, mean, variance; mean
 * and (biased) variance of each channel over the batch and all positions.
 *
 * <p>Shapes: x and y [N, C, ...], the others [C]. Dtypes: y like x, the others FP32 at least.
 * Gradient: {@link BatchNormGradient}; the statistics are not differentiated on their own.
 *
 * <p>Source of both forms of the variance: Chan, Golub, LeVeque, "Algorithms for Computing the
 * Sample Variance", The American Statistician 37 (1983).
 *
 * @param stable how the variance is computed, in double in any case. False: together with the mean
 *     in one pass, by Welford's updates or from sums around an element of the channel, which loses
 *     digits only where a channel's spread is less than about 10⁻⁶ of that element's distance from
 *     the mean. True: the mean first, then the squares of x − mean in a second pass
 */
public record BatchNorm(double epsilon, boolean stable) implements Normalization {
  public BatchNorm {
    Normalization.requireEpsilon("BatchNorm", epsilon);
  }

  /** The variance in one pass. */
  public BatchNorm(double epsilon) {
    this(epsilon, false);
  }

  /** The same with the variance in a second pass. */
  public BatchNorm stableStatistics() {
    return new BatchNorm(epsilon, true);
  }

  @Override
  public boolean castable(int input) {
    return input == 0;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Normalization.require(this, in, at, 0, 1, 3);
    TensorSpec channels = Normalization.channels(in.getFirst());
    return List.of(in.getFirst(), channels, channels);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Tensor d = b.d(0);
    return b.ops()
        .runAll(
            new BatchNormGradient(epsilon),
            d,
            b.ops().cast(b.in(0), d.dtype()),
            b.in(1),
            b.out(1),
            b.out(2));
  }
}
