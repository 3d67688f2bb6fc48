package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Shape;
import java.util.function.IntPredicate;

/**
 * The rows of a tensor, along its last axis, and where each begins in a dense tensor that lacks
 * some of the axes: along those it repeats, or is summed.
 */
final class Rows {
  private final Shape shape;
  private final long[] strides;
  private final int last;

  /** Rows of {@code shape}, and places in a tensor that lacks its {@code dropped} axes. */
  Rows(Shape shape, IntPredicate dropped) {
    this.shape = shape.rank() == 0 ? Shape.of(1) : shape;
    this.strides = new long[this.shape.rank()];
    this.last = strides.length - 1;
    long stride = 1;
    for (int axis = last; axis >= 0; axis--) {
      if (!dropped.test(axis)) {
        strides[axis] = stride;
        stride *= this.shape.dim(axis);
      }
    }
  }

  int count() {
    return Math.toIntExact(shape.size() / length());
  }

  int length() {
    return shape.dim(last);
  }

  /** Whether a row runs along an axis that the other tensor has. */
  boolean moves() {
    return strides[last] != 0;
  }

  /** Where in the other tensor the first element of this row stands. */
  long start(int row) {
    long start = 0;
    int rest = row;
    for (int axis = last - 1; axis >= 0; axis--) {
      start += rest % shape.dim(axis) * strides[axis];
      rest /= shape.dim(axis);
    }
    return start;
  }
}
