package dev.halfcell.op.shape;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** The same elements in the same flat order, in another shape. Gradient: d in the shape of x. */
public record Reshape(Shape to) implements Rearrangement {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at)
        .count(1)
        .shape(
            in.getFirst().size() == to.size(),
            to.size() + " elements for " + to,
            "A reshape keeps the number of elements.");
    return List.of(in.getFirst().as(to));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(b.ops().reshape(b.d(0), b.in(0).shape()));
  }
}
