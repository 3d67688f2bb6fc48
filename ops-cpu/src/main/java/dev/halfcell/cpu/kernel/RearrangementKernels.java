package dev.halfcell.cpu.kernel;

import dev.halfcell.op.shape.Rearrangement;
import dev.halfcell.op.shape.Repeat;
import dev.halfcell.op.shape.Reshape;
import dev.halfcell.tensor.Shape;
import java.util.List;

/** Copies and repetitions. */
final class RearrangementKernels {
  private RearrangementKernels() {}

  static void build(KernelBuilder builder, Rearrangement op, Operand in, Operand out) {
    switch (op) {
      case Reshape(_) -> reshape(builder, in, out);
      case Repeat(Shape _, List<Integer> axes) ->
          Broadcasts.repeat(builder, in, out, axes::contains);
    }
  }

  /** Keeps the row-major order of elements, whatever the layouts are. */
  private static void reshape(KernelBuilder builder, Operand in, Operand out) {
    Operand from = builder.in(in, in.dtype(), Layout.ROW_MAJOR);
    Operand to = builder.out(out, out.dtype(), Layout.ROW_MAJOR);
    Flat.copy(builder, from, to);
  }
}
