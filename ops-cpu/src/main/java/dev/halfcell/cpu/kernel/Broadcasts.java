package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Computations place by place with operands that are repeated along axes. Axes that all operands
 * have, or lack, together count as one, so that rows are long.
 */
final class Broadcasts {
  private Broadcasts() {}

  /** Runs {@code loop} on inputs repeated along the axes that they lack or have with size 1. */
  static void stage(KernelBuilder builder, List<Operand> in, Operand out, Flat.Loop loop) {
    Layout layout = out.layout();
    int rank = out.spec().rank();
    List<Term> terms = new ArrayList<>();
    for (Operand x : in) {
      Operand from = builder.in(padded(x, rank), x.dtype(), layout);
      Shape lies = layout.physical(from.spec().shape());
      terms.add(new Term(from, axis -> lies.dim(axis) == 1));
    }
    stage(builder, terms, out, layout, loop);
  }

  /** y = x repeated along {@code axes} of y. */
  static void repeat(KernelBuilder builder, Operand x, Operand out, IntPredicate axes) {
    Operand from = builder.in(x, x.dtype(), Layout.ROW_MAJOR);
    stage(
        builder,
        List.of(new Term(from, axes)),
        out,
        Layout.ROW_MAJOR,
        (in, y, count, _) -> System.arraycopy(in[0], 0, y[0], 0, count));
  }

  private static void stage(
      KernelBuilder builder, List<Term> terms, Operand out, Layout layout, Flat.Loop loop) {
    Shape shape = layout.physical(out.spec().shape());
    int[] groups = groups(shape, terms);
    List<Flat.ReaderOf> readers = terms.stream().map(term -> term.reader(shape, groups)).toList();
    Flat.stageOfLoops(builder, readers, List.of(out), layout, () -> loop);
  }

  /** The same elements behind further axes of size 1. */
  private static Operand padded(Operand x, int rank) {
    List<Integer> dims = new ArrayList<>(x.spec().shape().dims());
    while (dims.size() < rank) {
      dims.addFirst(1);
    }
    return new Operand(x.spec().as(new Shape(dims)), x.layout(), x.region());
  }

  /** For each axis the number of its group: neighbours along which all terms do the same. */
  private static int[] groups(Shape shape, List<Term> terms) {
    int[] groups = new int[shape.rank()];
    int last = -1;
    for (int axis = 0; axis < groups.length; axis++) {
      if (shape.dim(axis) == 1) {
        groups[axis] = Math.max(0, axis == 0 ? 0 : groups[axis - 1]);
        continue;
      }
      int before = last;
      int here = axis;
      boolean joins =
          before >= 0
              && terms.stream().allMatch(t -> t.repeats.test(before) == t.repeats.test(here));
      groups[axis] = before < 0 ? 0 : joins ? groups[before] : groups[before] + 1;
      last = axis;
    }
    return groups;
  }

  /**
   * An operand, and the axes of the result, as they lie in memory, along which it is repeated; what
   * is said of axes of size 1 does not matter.
   */
  private record Term(Operand operand, IntPredicate repeats) {
    Flat.ReaderOf reader(Shape shape, int[] groups) {
      int count = groups.length == 0 ? 0 : groups[groups.length - 1] + 1;
      int[] sizes = new int[count];
      boolean[] repeated = new boolean[count];
      Arrays.fill(sizes, 1);
      for (int axis = 0; axis < groups.length; axis++) {
        sizes[groups[axis]] *= shape.dim(axis);
        if (shape.dim(axis) > 1) {
          repeated[groups[axis]] = repeats.test(axis);
        }
      }
      boolean whole = IntStream.range(0, count).noneMatch(g -> repeated[g] && sizes[g] > 1);
      Rows rows = new Rows(Shape.of(sizes), group -> repeated[group]);
      return whole ? Flat.plain(operand) : scratch -> new RepeatedReader(operand, rows, scratch);
    }
  }
}
