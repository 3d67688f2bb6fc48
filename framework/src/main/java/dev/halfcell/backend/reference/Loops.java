package dev.halfcell.backend.reference;

import dev.halfcell.tensor.Shape;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;

/** The loops that most kernels are made of. */
final class Loops {
  private Loops() {}

  /** An array of what {@code value} gives for each index. */
  static double[] fill(int size, IntToDoubleFunction value) {
    double[] filled = new double[size];
    for (int i = 0; i < size; i++) {
      filled[i] = value.applyAsDouble(i);
    }
    return filled;
  }

  /** The sum of {@code term}, from the first to the last. */
  static double sum(int size, IntToDoubleFunction term) {
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += term.applyAsDouble(i);
    }
    return sum;
  }

  static double square(double x) {
    return x * x;
  }

  /**
   * For each element of {@code shape}, in flat order, its flat position in a dense tensor that
   * lacks the {@code dropped} axes.
   */
  static int[] positions(Shape shape, IntPredicate dropped) {
    int[] strides = strides(shape, dropped);
    int[] positions = {0};
    for (int axis = 0; axis < shape.rank(); axis++) {
      int size = shape.dim(axis);
      int[] longer = new int[positions.length * size];
      for (int i = 0; i < longer.length; i++) {
        longer[i] = positions[i / size] + i % size * strides[axis];
      }
      positions = longer;
    }
    return positions;
  }

  /** The position along each axis of element {@code flat} of a dense tensor. */
  static int[] place(int flat, Shape shape) {
    int[] place = new int[shape.rank()];
    int rest = flat;
    for (int axis = shape.rank() - 1; axis >= 0; axis--) {
      place[axis] = rest % shape.dim(axis);
      rest /= shape.dim(axis);
    }
    return place;
  }

  /** What undoes {@link #place}. */
  static int flat(int[] place, Shape shape) {
    int flat = 0;
    for (int axis = 0; axis < place.length; axis++) {
      flat = flat * shape.dim(axis) + place[axis];
    }
    return flat;
  }

  private static int[] strides(Shape shape, IntPredicate dropped) {
    int[] strides = new int[shape.rank()];
    int stride = 1;
    for (int axis = shape.rank() - 1; axis >= 0; axis--) {
      if (!dropped.test(axis)) {
        strides[axis] = stride;
        stride *= shape.dim(axis);
      }
    }
    return strides;
  }
}
