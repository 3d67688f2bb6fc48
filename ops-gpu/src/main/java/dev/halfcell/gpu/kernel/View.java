package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.elementwise.Broadcast;
import dev.halfcell.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Where the elements of a tensor lie that a kernel reads or writes in another order than its own:
 * {@code view.cuh}. Element (i₀, i₁, ...) lies at start + Σ iₖ · strideₖ, in elements.
 *
 * @param start where the first element lies
 * @param axes the axes, the last one fastest
 */
record View(long start, List<Axis> axes) {
  /** The most axes that a kernel takes, those that are walked through as one counted once. */
  static final int MOST_AXES = 8;

  View {
    axes = List.copyOf(axes);
  }

  /** Along one axis. */
  record Axis(long size, long stride) {}

  /** All elements of a tensor, as they lie. */
  static View dense(Shape shape) {
    List<Axis> axes = new ArrayList<>();
    long stride = 1;
    for (int axis = shape.rank() - 1; axis >= 0; axis--) {
      axes.addFirst(new Axis(shape.dim(axis), stride));
      stride *= shape.dim(axis);
    }
    return new View(0, axes);
  }

  /** x where it meets others in a shape that they are broadcast to. */
  static View repeated(Shape x, Shape to) {
    List<Axis> own = dense(x).axes;
    int missing = to.rank() - x.rank();
    IntPredicate repeats = Broadcast.repeats(x, to.rank());
    List<Axis> axes = new ArrayList<>();
    for (int axis = 0; axis < to.rank(); axis++) {
      axes.add(new Axis(to.dim(axis), repeats.test(axis) ? 0 : own.get(axis - missing).stride()));
    }
    return new View(0, axes);
  }

  /** The same elements in the same order by as few axes as there can be. */
  private List<Axis> merged() {
    List<Axis> merged = new ArrayList<>();
    for (Axis axis : axes) {
      if (axis.size() == 1) {
        continue;
      }
      Axis last = merged.isEmpty() ? axis : merged.getLast();
      if (!merged.isEmpty() && last.stride() == axis.size() * axis.stride()) {
        merged.set(merged.size() - 1, new Axis(last.size() * axis.size(), axis.stride()));
      } else {
        merged.add(axis);
      }
    }
    return merged;
  }

  /** For a kernel; nothing where it has more axes than kernels take. */
  Optional<Argument> argument() {
    List<Axis> merged = merged();
    if (merged.size() > MOST_AXES) {
      return Optional.empty();
    }
    List<Long> words = new ArrayList<>();
    words.add((long) merged.size());
    words.add(start);
    for (int axis = 0; axis < MOST_AXES; axis++) {
      words.add(axis < merged.size() ? merged.get(axis).size() : 1);
    }
    for (int axis = 0; axis < MOST_AXES; axis++) {
      words.add(axis < merged.size() ? merged.get(axis).stride() : 0);
    }
    return Optional.of(new Argument.Words(words));
  }
}
