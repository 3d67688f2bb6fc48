package dev.halfcell.op.normalization;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (d, x, gamma, mean, rstd) → dx, dgamma, dbeta: the gradient of {@link GroupNorm}.
 *
 * <p>Shapes: d, x and dx [N, C, ...], mean and rstd [N, groups], the others [C].
 */
public record GroupNormGradient(int groups) implements GroupwiseGradient {
  public GroupNormGradient {
    ArgumentException.require(groups >= 1, "GroupNorm groups", "at least 1", groups);
  }

  @Override
  public Groups groups(List<TensorSpec> in) {
    return Groups.channels(in.get(1), groups);
  }

  @Override
  public boolean centered() {
    return true;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(5);
    Normalization.require(this, in.subList(0, 3), at, 1, 2, 3);
    Normalization.requireSaved(must, in, GroupNorm.statistics(must, in.get(1), groups));
    return List.of(in.get(1), in.get(2), in.get(2));
  }
}
