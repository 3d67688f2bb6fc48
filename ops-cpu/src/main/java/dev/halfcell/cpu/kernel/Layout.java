package dev.halfcell.cpu.kernel;

import dev.halfcell.backend.PlannedTask;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;

/** The order of a tensor's elements in memory; always dense. */
public enum Layout {
  /** The last axis fastest: how every tensor lies outside of plans. */
  ROW_MAJOR,
  /**
   * Of [N, C, H, W], the channels fastest: [N, H, W, C]. What oneDNN's convolutions are fast on.
   */
  CHANNELS_LAST;

  /** The name in schedules. */
  public String label() {
    return switch (this) {
      case ROW_MAJOR -> PlannedTask.Out.ROW_MAJOR;
      case CHANNELS_LAST -> "channels last";
    };
  }

  /** The step from one element to the next along each axis, in elements. */
  long[] strides(Shape shape) {
    long[] strides = new long[shape.rank()];
    long stride = 1;
    for (int place = shape.rank() - 1; place >= 0; place--) {
      int axis = axis(place, shape.rank());
      strides[axis] = stride;
      stride *= shape.dim(axis);
    }
    return strides;
  }

  /** The axis at this place of the order, outermost first. */
  private int axis(int place, int rank) {
    if (this == ROW_MAJOR || place == 0) {
      return place;
    }
    return place == rank - 1 ? 1 : place + 1;
  }

  /** The shape as it lies in memory: sizes outermost first. */
  Shape physical(Shape shape) {
    int[] sizes = new int[shape.rank()];
    for (int place = 0; place < sizes.length; place++) {
      sizes[place] = shape.dim(axis(place, sizes.length));
    }
    return Shape.of(sizes);
  }

  /** The place in memory order of an axis. */
  int place(int axis, int rank) {
    if (this == ROW_MAJOR || axis == 0) {
      return axis;
    }
    return axis == 1 ? rank - 1 : axis - 1;
  }

  /** Whether a tensor lies the same way in both. */
  public static boolean same(TensorSpec spec, Layout a, Layout b) {
    return a == b || spec.rank() != 4 || spec.dim(1) == 1 || spec.dim(2) == 1 && spec.dim(3) == 1;
  }
}
