package dev.halfcell.op.indexing;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.OptionalInt;

/**
 * (values, indices) → zeros of shape {@code to}, to whose element j along {@code axis} all values
 * are added that have the index j: what undoes {@link Gather}. The values of an element are added
 * in the order of the indices, in FP32 at least, and rounded once.
 *
 * <p>Shapes: values as Gather of a tensor of shape {@code to} gives them. Gradient: {@link Gather}
 * of d, where no index is ignored.
 *
 * @param ignored the index that adds nothing, if there is one: then it is a gradient itself and has
 *     none
 * @param wide whether the accumulator leaves unrounded, in FP32: the gradient of a parameter
 */
public record ScatterAdd(Shape to, int axis, OptionalInt ignored, boolean wide)
    implements Indexing {
  public ScatterAdd {
    ArgumentException.require(
        axis >= 0 && axis < to.rank(), "ScatterAdd axis", "an axis of " + to, axis);
  }

  /** One where every index counts. */
  public ScatterAdd(Shape to, int axis, boolean wide) {
    this(to, axis, OptionalInt.empty(), wide);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(2).floating(0).integer(1);
    Shape values = must.sized(Indexing.lookedUp(to, axis, in.get(1).shape()));
    must.shape(
        in.get(0).shape().equals(values),
        "values of " + values,
        "Pass one value for each index and position.");
    DType dtype = in.get(0).dtype();
    return List.of(new TensorSpec(wide ? dtype.wide() : dtype, to));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    if (ignored.isPresent()) {
      throw b.none();
    }
    DType dtype = b.in(0).dtype();
    Tensor d = b.ops().cast(b.d(), b.wide(0) ? dtype.wide() : dtype);
    return List.of(b.ops().lookups().gather(d, b.in(1), axis));
  }
}
