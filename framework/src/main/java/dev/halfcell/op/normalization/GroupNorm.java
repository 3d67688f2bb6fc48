package dev.halfcell.op.normalization;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x, gamma, beta) → y = gamma · (x − mean) · rstd + beta, mean, rstd; mean and rstd = 1 /
 * √(variance + epsilon) of each sample over C / groups neighbouring channels with all their
 * positions; the variance is the biased one.
 *
 * <p>Shapes: x and y [N, C, ...], gamma and beta [C], mean and rstd [N, groups]. Dtypes: y like x,
 * the others FP32 at least. Gradient: {@link GroupNormGradient}. Source: Wu and He, "Group
 * Normalization", ECCV 2018, equations 1, 2 and 7.
 */
public record GroupNorm(int groups, double epsilon) implements GroupwiseNormalization {
  public GroupNorm {
    ArgumentException.require(groups >= 1, "GroupNorm groups", "at least 1", groups);
    Normalization.requireEpsilon("GroupNorm", epsilon);
  }

  @Override
  public Groups groups(List<TensorSpec> in) {
    return Groups.channels(in.getFirst(), groups);
  }

  @Override
  public boolean centered() {
    return true;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Normalization.require(this, in, at, 0, 1, 3);
    TensorSpec statistics = statistics(new Requirements(this, in, at), in.getFirst(), groups);
    return List.of(in.getFirst(), statistics, statistics);
  }

  /** Demands channels that the groups divide. Returns the spec of the statistics. */
  static TensorSpec statistics(Requirements must, TensorSpec x, int groups) {
    must.shape(
        x.dim(1) % groups == 0,
        "channels that " + groups + " groups divide",
        "Choose groups that divide the channels.");
    return TensorSpec.of(x.dtype().wide(), x.dim(0), groups);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Tensor d = b.d(0);
    Tensor x = b.ops().cast(b.in(0), d.dtype());
    return b.ops().runAll(new GroupNormGradient(groups), d, x, b.in(1), b.out(1), b.out(2));
  }
}
