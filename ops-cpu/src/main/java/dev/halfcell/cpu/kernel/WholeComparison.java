package dev.halfcell.cpu.kernel;

import dev.halfcell.op.elementwise.Comparison;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Compares whole numbers of any dtype place by place, exactly. */
final class WholeComparison {
  private static final int UNIT = 256;

  private WholeComparison() {}

  static void build(KernelBuilder builder, Comparison comparison, List<Operand> in, Operand out) {
    Operand to = builder.out(out, out.dtype(), Layout.ROW_MAJOR);
    Operand a = repeated(builder, in.get(0), to.spec().shape());
    Operand b = repeated(builder, in.get(1), to.spec().shape());
    Split split = Split.of(Flat.size(to), UNIT, builder.threads());
    builder.stage(
        split.parts(),
        part -> compare(comparison, a, b, to, split.from(part), split.from(part + 1)));
  }

  private static void compare(
      Comparison comparison, Operand a, Operand b, Operand to, int from, int end) {
    MemorySegment first = a.region().data();
    MemorySegment second = b.region().data();
    for (int i = from; i < end; i++) {
      long x = Elements.whole(first, a.dtype(), i);
      long y = Elements.whole(second, b.dtype(), i);
      boolean holds = comparison.holds(Long.compare(x, y), 0);
      Elements.set(to.region().data(), to.dtype(), i, holds ? 1 : 0);
    }
  }

  /** An operand with the axes that it lacks, or has with size 1, repeated. */
  private static Operand repeated(KernelBuilder builder, Operand x, Shape to) {
    Operand from = builder.in(x, x.dtype(), Layout.ROW_MAJOR);
    Shape shape = x.spec().shape();
    if (shape.equals(to)) {
      return from;
    }
    List<Long> along = new ArrayList<>();
    int missing = to.rank() - shape.rank();
    for (int axis = 0; axis < to.rank(); axis++) {
      boolean moves = axis >= missing && shape.dim(axis - missing) > 1;
      along.add(moves ? Steps.whole(shape).along().get(axis - missing) : 0L);
    }
    Operand whole = builder.workspace(x.spec().as(to), Layout.ROW_MAJOR);
    BoxCopy.stage(builder, to, from, new Steps(0, along), whole, Steps.whole(to));
    return whole;
  }
}
