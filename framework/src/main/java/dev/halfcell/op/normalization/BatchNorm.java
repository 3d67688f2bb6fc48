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
 */
public record BatchNorm(double epsilon) implements Normalization {
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
