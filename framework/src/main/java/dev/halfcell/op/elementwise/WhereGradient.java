package dev.halfcell.op.elementwise;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (d, condition) → d where the condition is {@code taken}, else 0, of the shape of d: the gradient
 * of {@link Where} by one of its inputs.
 */
public record WhereGradient(boolean taken) implements Elementwise {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(2).floating(0).dtype(1, 2, DType.BOOL);
    Shape shape = Broadcast.require(must, 0, 1);
    must.shape(
        in.getFirst().shape().equals(shape), "d of " + shape, "Pass the gradient of the output.");
    return in.subList(0, 1);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
