package dev.halfcell.op.normalization;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (d, x, gamma, mean, variance) → dx, dgamma, dbeta: the gradient of {@link BatchNorm}. With n the
 * normalised x, s = 1 / √(variance + epsilon) and M the elements of a channel: dbeta = Σ d, dgamma
 * = Σ d · n, dx = gamma · s · (d − dbeta / M − n · dgamma / M).
 *
 * <p>Shapes: d, x and dx [N, C, ...], the others [C]. Dtypes: dx like x, dgamma and dbeta FP32 at
 * least.
 */
public record BatchNormGradient(double epsilon) implements Normalization {
  public BatchNormGradient {
    Normalization.requireEpsilon("BatchNormGradient", epsilon);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Normalization.require(this, in, at, 1, 2, 5);
    new Requirements(this, in, at)
        .shape(
            in.get(0).equals(in.get(1)),
            "d like x",
            "Pass the gradient of the normalisation's output.");
    TensorSpec channels = Normalization.channels(in.get(1));
    return List.of(in.get(1), channels, channels);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
