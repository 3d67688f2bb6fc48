package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Argument.Role;
import dev.halfcell.cpu.onednn.Descriptor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Matrices in memory, or a part of them: the size of each axis and the step from one element to the
 * next along it, in elements. One of size 1 is repeated.
 */
record Matrices(Operand operand, List<Integer> sizes, List<Long> steps, long first) {
  /** A dense tensor, with further axes of size 1 in front. */
  static Matrices of(Operand x, int rank) {
    List<Integer> sizes = new ArrayList<>(x.spec().shape().dims());
    List<Long> steps = new ArrayList<>();
    long step = 1;
    for (int size : sizes.reversed()) {
      steps.addFirst(step);
      step *= size;
    }
    while (sizes.size() < rank) {
      sizes.addFirst(1);
      steps.addFirst(step);
    }
    return new Matrices(x, List.copyOf(sizes), List.copyOf(steps), 0);
  }

  int rank() {
    return sizes.size();
  }

  int size(int axis) {
    return sizes.get(axis);
  }

  Matrices transposed(boolean really) {
    return really ? new Matrices(operand, swapped(sizes), swapped(steps), first) : this;
  }

  private static <T> List<T> swapped(List<T> ofAxes) {
    List<T> swapped = new ArrayList<>(ofAxes);
    Collections.swap(swapped, ofAxes.size() - 2, ofAxes.size() - 1);
    return List.copyOf(swapped);
  }

  Matrices part(int axis, int from, int count) {
    if (size(axis) == 1) {
      return this;
    }
    List<Integer> fewer = new ArrayList<>(sizes);
    fewer.set(axis, count);
    return new Matrices(operand, List.copyOf(fewer), steps, first + from * steps.get(axis));
  }

  /** Without an axis, of which nothing but its first place is meant. */
  Matrices without(int axis) {
    List<Integer> fewerSizes = new ArrayList<>(sizes);
    List<Long> fewerSteps = new ArrayList<>(steps);
    fewerSizes.remove(axis);
    fewerSteps.remove(axis);
    return new Matrices(operand, List.copyOf(fewerSizes), List.copyOf(fewerSteps), first);
  }

  /** With a leading axis and the next as one; dense, or of size 1 in both. */
  Matrices joined(int axis) {
    List<Integer> joined = new ArrayList<>(sizes);
    joined.set(axis + 1, size(axis) * size(axis + 1));
    return new Matrices(operand, List.copyOf(joined), steps, first).without(axis);
  }

  Descriptor descriptor(KernelBuilder builder) {
    return builder
        .onednn()
        .strided(
            builder.handles(),
            operand.dtype(),
            sizes.stream().mapToLong(Integer::longValue).toArray(),
            plainSteps());
  }

  /**
   * The steps, with those of a row or column alone as a dense matrix has them, for any will do. (By
   * a single row that is said to lie transposed, oneDNN 3.11 multiplies wrongly in tiles of AMX.)
   */
  private long[] plainSteps() {
    long[] plain = steps.stream().mapToLong(Long::longValue).toArray();
    int columns = rank() - 1;
    int rows = columns - 1;
    if (size(columns) == 1) {
      plain[columns] = 1;
    }
    if (size(rows) == 1 && plain[columns] == 1) {
      plain[rows] = size(columns);
    }
    return plain;
  }

  Argument argument(Role role, Descriptor descriptor) {
    return new Argument(role, descriptor, operand.region(), first * operand.dtype().bytes());
  }
}
