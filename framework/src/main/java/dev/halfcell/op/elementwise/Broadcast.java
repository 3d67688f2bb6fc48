package dev.halfcell.op.elementwise;

import dev.halfcell.op.Ops;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * How two shapes meet: axes are matched from the last one on, and one that is missing or of size 1
 * is repeated.
 */
public final class Broadcast {
  private Broadcast() {}

  /** Whether two shapes can meet. */
  public static boolean fits(Shape a, Shape b) {
    return IntStream.range(0, Math.max(a.rank(), b.rank()))
        .allMatch(i -> size(a, i) == size(b, i) || size(a, i) == 1 || size(b, i) == 1);
  }

  /** The shape that both are repeated to. */
  public static Shape of(Shape a, Shape b) {
    return new Shape(sizes(a, b));
  }

  /** Its sizes, which may be too large for a shape. */
  public static List<Integer> sizes(Shape a, Shape b) {
    int rank = Math.max(a.rank(), b.rank());
    return IntStream.range(0, rank)
        .map(axis -> Math.max(size(a, rank - 1 - axis), size(b, rank - 1 - axis)))
        .boxed()
        .toList();
  }

  /** Whether x is repeated along an axis of a shape of {@code rank} axes that it meets. */
  public static IntPredicate repeats(Shape x, int rank) {
    return axis -> size(x, rank - 1 - axis) == 1;
  }

  /** The shape that these inputs of an op are repeated to; they have to fit. */
  static Shape require(Requirements must, int... inputs) {
    Shape to = Shape.SCALAR;
    for (int input : inputs) {
      Shape next = must.in().get(input).shape();
      must.shape(
          fits(to, next), "shapes that broadcast", "Axes must be equal, 1 or missing in front.");
      to = must.sized(sizes(to, next));
    }
    return to;
  }

  /** The sum of {@code d} over the axes along which {@code to} was repeated. */
  public static Tensor undo(Ops ops, Tensor d, Shape to, boolean wide) {
    int rank = d.shape().rank();
    int[] repeated =
        IntStream.range(0, rank)
            .filter(axis -> size(to, rank - 1 - axis) < d.spec().dim(axis))
            .toArray();
    return ops.reshape(repeated.length == 0 ? d : ops.sum(d, wide, repeated), to);
  }

  /** The size of the axis {@code fromLast} places before the last. */
  private static int size(Shape shape, int fromLast) {
    int axis = shape.rank() - 1 - fromLast;
    return axis < 0 ? 1 : shape.dim(axis);
  }
}
