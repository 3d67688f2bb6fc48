package dev.halfcell.op.indexing;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (x, indices) → y with y[..., i₀, i₁, ..., ...] = x[..., indices[i₀, i₁, ...], ...]: the axes of
 * the indices stand where {@code axis} of x stood.
 *
 * <p>Shapes: x of any dtype, indices as {@link Indexing} says. Gradient: {@link ScatterAdd} of d.
 * Source: NumPy, {@code numpy.take}.
 */
public record Gather(int axis) implements Indexing {
  public Gather {
    ArgumentException.require(axis >= 0, "Gather axis", "an axis, counted from 0", axis);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(2).axis(0, axis).integer(1);
    TensorSpec x = in.getFirst();
    return List.of(x.as(must.sized(Indexing.lookedUp(x.shape(), axis, in.get(1).shape()))));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    ScatterAdd back = new ScatterAdd(b.in(0).shape(), axis, b.wide(0));
    return List.of(b.ops().run(back, b.d(), b.in(1)));
  }
}
