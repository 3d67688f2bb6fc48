package dev.halfcell.op.loss;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x, target, d) → dx = d / M · slope, M the number of elements of a mean and else 1: the gradient
 * of an {@link ElementLoss}. The slope is 2 (x − target) of {@link MeanSquaredError}; the sign of x
 * − target, 0 at 0, of {@link L1}; (x − target) / beta, held between −1 and 1, of {@link SmoothL1};
 * sigmoid(x) − target of {@link BceWithLogits}.
 *
 * <p>Shapes: x, target and dx alike, d that of the loss.
 */
public record ElementLossGradient(ElementLoss of) implements Loss {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(3);
    of.reduction().requireGradient(must, 2, in.getFirst().shape());
    ElementLoss.requireTarget(must, in);
    return in.subList(0, 1);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }

  @Override
  public String label() {
    return of.label() + "Gradient";
  }
}
