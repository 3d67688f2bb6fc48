package dev.halfcell.op.normalization;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (d, x, gamma, mean, rstd) → dx, dgamma, dbeta: the gradient of {@link LayerNorm}.
 *
 * <p>Shapes: d, x and dx [..., F], mean and rstd [...], the others [F].
 */
public record LayerNormGradient() implements GroupwiseGradient {
  @Override
  public Groups groups(List<TensorSpec> in) {
    return Groups.trailing(in.get(1), in.get(2).shape());
  }

  @Override
  public boolean centered() {
    return true;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(5);
    TensorSpec statistics = LayerNorm.requireTrailing(must, in, 1);
    Normalization.requireSaved(must, in, statistics);
    return List.of(in.get(1), in.get(2), in.get(2));
  }
}
