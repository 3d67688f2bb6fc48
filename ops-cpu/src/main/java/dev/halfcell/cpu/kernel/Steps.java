package dev.halfcell.cpu.kernel;

import dev.halfcell.op.shape.Slice;
import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where the elements of a box stand in a row-major tensor: the first at {@code start}, and for each
 * axis of the box the step from one to the next, all in elements.
 */
record Steps(long start, List<Long> along) {
  /** All of a tensor. */
  static Steps whole(Shape shape) {
    return new Steps(0, IntStream.range(0, shape.rank()).mapToObj(a -> step(shape, a)).toList());
  }

  private static long step(Shape shape, int axis) {
    return new Shape(shape.dims().subList(axis + 1, shape.rank())).size();
  }

  /** A slice of a tensor. */
  static Steps of(Slice slice, Shape shape) {
    long start = 0;
    for (int axis = 0; axis < shape.rank(); axis++) {
      start += slice.start().get(axis) * step(shape, axis);
    }
    return new Steps(
        start,
        IntStream.range(0, shape.rank())
            .mapToObj(axis -> slice.stride().get(axis) * step(shape, axis))
            .toList());
  }

  /** The same with its axes in another order. */
  Steps permuted(List<Integer> permutation) {
    return new Steps(start, permutation.stream().map(along::get).toList());
  }
}
