package dev.halfcell.op.normalization;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (d, x, gamma, rstd) → dx, dgamma: the gradient of {@link RmsNorm}.
 *
 * <p>Shapes: d, x and dx [..., F], rstd [...], the others [F].
 */
public record RmsNormGradient() implements GroupwiseGradient {
  @Override
  public Groups groups(List<TensorSpec> in) {
    return Groups.trailing(in.get(1), in.get(2).shape());
  }

  @Override
  public boolean centered() {
    return false;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(4);
    TensorSpec statistics = LayerNorm.requireTrailing(must, in, 1);
    Normalization.requireSaved(must, in, statistics);
    return List.of(in.get(1), in.get(2));
  }
}
