package dev.halfcell.op.elementwise;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * y = a + b, where an axis that is missing or of size 1 is repeated.
 *
 * <p>Shapes: a and b broadcast to y. Gradient: da and db are d, summed over the axes that were
 * repeated. Source: NumPy, "Broadcasting", general rules.
 */
public record Add() implements Elementwise {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at).count(2).floating(0).dtype(1, 2, in.getFirst().dtype());
    Shape a = in.get(0).shape();
    Shape b = in.get(1).shape();
    must.shape(
        Broadcast.fits(a, b),
        "shapes that broadcast",
        "Axes must be equal, 1 or missing in front.");
    return List.of(in.getFirst().as(Broadcast.of(a, b)));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(
        Broadcast.undo(b.ops(), b.d(0), b.in(0).shape(), b.wide(0)),
        Broadcast.undo(b.ops(), b.d(1), b.in(1).shape(), b.wide(1)));
  }
}
