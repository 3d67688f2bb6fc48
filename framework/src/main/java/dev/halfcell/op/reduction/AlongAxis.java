package dev.halfcell.op.reduction;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** x → y of one shape, each line along an axis for itself; the gradient needs y alone. */
public sealed interface AlongAxis extends Reduction permits Softmax, LogSoftmax {
  /** Along which axis. */
  int axis();

  /** The op of the gradient: (d, y) → dx. */
  AlongAxisGradient gradientOp();

  @Override
  default List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(1).floating(0).axis(0, axis());
    return in;
  }

  @Override
  default List<Tensor> gradient(Backward b) {
    Tensor d = b.d(0);
    return List.of(b.ops().run(gradientOp(), d, b.ops().cast(b.out(0), d.dtype())));
  }
}
