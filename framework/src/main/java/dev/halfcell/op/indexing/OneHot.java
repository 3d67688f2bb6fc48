package dev.halfcell.op.indexing;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * (indices) → y with y[..., j] = {@code on} where j is the index, else {@code off}.
 *
 * <p>Shapes: indices as {@link Indexing} says, y has a last axis of {@code depth} more. Dtype: y is
 * of {@code dtype}. Gradient: none, for whole numbers have none. Source: TensorFlow, {@code
 * tf.one_hot}; an index out of range is an error here.
 */
public record OneHot(int depth, double on, double off, DType dtype) implements Indexing {
  public OneHot {
    ArgumentException.require(depth >= 1, "OneHot depth", "at least 1", depth);
    requireValue("on", on, dtype);
    requireValue("off", off, dtype);
  }

  private static void requireValue(String option, double value, DType dtype) {
    ArgumentException.require(
        dtype.floating() || dtype.round(value) == value,
        "OneHot " + option,
        "a value of " + dtype.label(),
        value);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(1).integer(0);
    List<Integer> dims = new ArrayList<>(in.getFirst().shape().dims());
    dims.add(depth);
    return List.of(new TensorSpec(dtype, must.sized(dims)));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
