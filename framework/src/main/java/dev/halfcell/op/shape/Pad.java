package dev.halfcell.op.shape;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * x with {@code value} before, between and after its elements along each axis; an axis of n
 * elements becomes before + n + (n − 1) · between + after long.
 *
 * <p>Shapes: x of the rank of the three lists, of any dtype. Gradient: the {@link Slice} of d where
 * x went. Source: OpenXLA, "Operation Semantics", Pad (edge and interior padding).
 *
 * @param value what is put there, rounded to the dtype of x; an integer dtype asks for one of its
 *     own values
 */
public record Pad(List<Integer> before, List<Integer> between, List<Integer> after, double value)
    implements Rearrangement {
  public Pad {
    before = List.copyOf(before);
    between = List.copyOf(between);
    after = List.copyOf(after);
    ArgumentException.require(
        before.size() == after.size() && before.size() == between.size(),
        "Pad",
        "sizes for each axis",
        "before " + before + ", between " + between + ", after " + after);
    ArgumentException.require(Axes.atLeast(0, before), "Pad before", "at least 0", before);
    ArgumentException.require(Axes.atLeast(0, between), "Pad between", "at least 0", between);
    ArgumentException.require(Axes.atLeast(0, after), "Pad after", "at least 0", after);
  }

  /** Padding at the edges alone. */
  public Pad(List<Integer> before, List<Integer> after, double value) {
    this(before, Collections.nCopies(before.size(), 0), after, value);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at).count(1).rank(0, before.size(), "as many axes as " + before);
    TensorSpec x = in.getFirst();
    must.dtype(
        x.dtype().floating() || x.dtype().round(value) == value,
        "an input whose dtype has the value " + value,
        "Pad with a value of the input's dtype.");
    return List.of(
        x.as(must.sized(IntStream.range(0, x.rank()).mapToLong(axis -> size(x, axis)).toArray())));
  }

  private long size(TensorSpec x, int axis) {
    long gaps = (x.dim(axis) - 1L) * between.get(axis);
    return gaps + x.dim(axis) + before.get(axis) + after.get(axis);
  }

  /** Where the elements of x stand in y. */
  public Slice kept(Shape x) {
    return new Slice(before, x.dims(), between.stream().map(gap -> gap + 1).toList());
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(b.ops().run(kept(b.in(0).shape()), b.d(0)));
  }
}
