package dev.halfcell.op.reduction;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** (d, y) → dx, all of one shape: the gradient of an {@link AlongAxis}, y being its output. */
public sealed interface AlongAxisGradient extends Reduction
    permits SoftmaxGradient, LogSoftmaxGradient {
  /** Along which axis. */
  int axis();

  @Override
  default List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at)
        .count(2)
        .floating(0)
        .axis(0, axis())
        .dtype(1, 2, in.getFirst().dtype())
        .shape(
            in.getFirst().equals(in.getLast()),
            "d and y of one shape",
            "Pass the output of the op whose gradient this is.");
    return in.subList(0, 1);
  }

  @Override
  default List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
