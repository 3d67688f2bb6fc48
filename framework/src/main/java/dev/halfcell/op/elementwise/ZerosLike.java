package dev.halfcell.op.elementwise;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** (x) → 0 at every place, whatever x holds there: the gradient of what a loss does not use. */
public record ZerosLike() implements Elementwise {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(1).floating(0);
    return in;
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
