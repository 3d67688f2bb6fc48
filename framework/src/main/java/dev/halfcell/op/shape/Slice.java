package dev.halfcell.op.shape;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A box out of x: along each axis the elements start, start + stride, ..., {@code size} of them.
 *
 * <p>Shapes: x of the rank of the three lists, of any dtype; y of shape {@code size}. Gradient: d
 * in its place among zeros, by {@link Pad}. Source: NumPy, "Indexing on ndarrays", basic slicing.
 *
 * @param start the first element along each axis
 * @param size how many elements along each axis
 * @param stride the step from one to the next along each axis, at least 1
 */
public record Slice(List<Integer> start, List<Integer> size, List<Integer> stride)
    implements Rearrangement {
  public Slice {
    start = List.copyOf(start);
    size = List.copyOf(size);
    stride = List.copyOf(stride);
    ArgumentException.require(
        start.size() == size.size() && start.size() == stride.size(),
        "Slice",
        "a start, a size and a stride for each axis",
        "start " + start + ", size " + size + ", stride " + stride);
    ArgumentException.require(Axes.atLeast(0, start), "Slice start", "at least 0", start);
    ArgumentException.require(Axes.atLeast(1, size), "Slice size", "at least 1", size);
    ArgumentException.require(Axes.atLeast(1, stride), "Slice stride", "at least 1", stride);
  }

  /** {@code size} neighbours along one axis of x, and all of every other axis. */
  public static Slice along(Shape x, int axis, int start, int size) {
    return new Slice(
        Axes.allBut(x.rank(), 0, axis, start),
        IntStream.range(0, x.rank()).map(a -> a == axis ? size : x.dim(a)).boxed().toList(),
        Axes.allBut(x.rank(), 1, axis, 1));
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must =
        new Requirements(this, in, at).count(1).rank(0, start.size(), "as many axes as " + start);
    TensorSpec x = in.getFirst();
    must.shape(
        IntStream.range(0, x.rank()).allMatch(axis -> last(axis) < x.dim(axis)),
        "axes longer than " + IntStream.range(0, x.rank()).mapToObj(this::last).toList(),
        "A slice lies inside its input.");
    return List.of(x.as(new Shape(size)));
  }

  private long last(int axis) {
    return start.get(axis) + (size.get(axis) - 1L) * stride.get(axis);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Shape x = b.in(0).shape();
    List<Integer> between = stride.stream().map(step -> step - 1).toList();
    List<Integer> after =
        IntStream.range(0, x.rank())
            .map(axis -> x.dim(axis) - 1 - Math.toIntExact(last(axis)))
            .boxed()
            .toList();
    return List.of(b.ops().run(new Pad(start, between, after, 0), b.d(0)));
  }
}
