package dev.halfcell.op.loss;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x, target, d) → dx = d · 2 · (x − target) / M, M the number of elements: the gradient of {@link
 * MeanSquaredError}.
 *
 * <p>Shapes: x, target and dx alike, d a scalar.
 */
public record MeanSquaredErrorGradient() implements Loss {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(3).floating(2).rank(2, 0, "[]");
    MeanSquaredError.requireTarget(must, in);
    return in.subList(0, 1);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return b.none();
  }
}
