package dev.halfcell.op.loss;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (slope, d) → dlogits = d · slope: the gradient of {@link CtcLoss}.
 *
 * <p>Shapes: slope and dlogits [T, N, C], d a scalar.
 */
public record CtcLossGradient() implements Loss {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(2).floating(0).floating(1).rank(1, 0, "[]");
    return in.subList(0, 1);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return b.none();
  }
}
