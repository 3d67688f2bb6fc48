package dev.halfcell.op.loss;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x, target) → for each element a loss of x and target alone, reduced.
 *
 * <p>Shapes: x and target alike, nothing is broadcast; the loss a scalar, or like x with {@link
 * LossReduction#NONE}. Dtypes: the loss FP32 at least. Gradient: {@link ElementLossGradient}.
 */
public sealed interface ElementLoss extends Loss
    permits MeanSquaredError, L1, SmoothL1, BceWithLogits {
  /** What is made of the elements' losses. */
  LossReduction reduction();

  @Override
  default List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    requireTarget(new Requirements(this, in, at).count(2), in);
    TensorSpec x = in.getFirst();
    return List.of(new TensorSpec(x.dtype().wide(), reduction().of(x.shape())));
  }

  static void requireTarget(Requirements must, List<TensorSpec> in) {
    must.floating(0).dtype(1, 2, in.getFirst().dtype());
    must.shape(
        in.get(0).equals(in.get(1)),
        "x and target of one shape",
        "Nothing is broadcast: reshape one of them.");
  }

  /** By x, and by the target with the two exchanged, since the loss is of their distance. */
  @Override
  default List<Tensor> gradient(Backward b) {
    ElementLossGradient gradient = new ElementLossGradient(this);
    return List.of(
        b.ops().run(gradient, b.in(0), b.in(1), b.d()),
        b.ops().run(gradient, b.in(1), b.in(0), b.d()));
  }
}
