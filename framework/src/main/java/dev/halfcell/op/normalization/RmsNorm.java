package dev.halfcell.op.normalization;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x, gamma) → y = gamma · x · rstd, rstd; rstd = 1 / √(mean of x² + epsilon) over the trailing
 * axes, those that gamma has.
 *
 * <p>Shapes: x and y [..., F], gamma [F], rstd [...]; F is one axis or more. Dtypes: y like x, the
 * others FP32 at least. Gradient: {@link RmsNormGradient}. Source: Zhang and Sennrich, "Root Mean
 * Square Layer Normalization", NeurIPS 2019, equation 4.
 */
public record RmsNorm(double epsilon) implements GroupwiseNormalization {
  public RmsNorm {
    Normalization.requireEpsilon("RmsNorm", epsilon);
  }

  @Override
  public Groups groups(List<TensorSpec> in) {
    return Groups.trailing(in.get(0), in.get(1).shape());
  }

  @Override
  public boolean centered() {
    return false;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(2);
    return List.of(in.getFirst(), LayerNorm.requireTrailing(must, in, 0));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Tensor d = b.d(0);
    Tensor x = b.ops().cast(b.in(0), d.dtype());
    return b.ops().runAll(new RmsNormGradient(), d, x, b.in(1), b.out(1));
  }
}
