package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.shape.Concat;
import dev.halfcell.op.shape.Pad;
import dev.halfcell.op.shape.Rearrangement;
import dev.halfcell.op.shape.Repeat;
import dev.halfcell.op.shape.Reshape;
import dev.halfcell.op.shape.ReverseSequence;
import dev.halfcell.op.shape.Slice;
import dev.halfcell.op.shape.Transpose;
import dev.halfcell.tensor.Shape;
import java.util.List;

/** Copies and repetitions. */
final class RearrangementKernels {
  private RearrangementKernels() {}

  static void build(
      KernelBuilder builder, Rearrangement op, List<Operand> in, List<Operand> out, CellPath at) {
    switch (op) {
      case Reshape(_) -> reshape(builder, in.getFirst(), out.getFirst());
      case Repeat(Shape _, List<Integer> axes) ->
          Broadcasts.repeat(builder, in.getFirst(), out.getFirst(), axes::contains);
      case Transpose _, Slice _, Pad _, Concat _, ReverseSequence _ ->
          ReferenceStage.add(builder, op, in, out, at);
    }
  }

  /** Keeps the row-major order of elements, whatever the layouts are. */
  private static void reshape(KernelBuilder builder, Operand in, Operand out) {
    Operand from = builder.in(in, in.dtype(), Layout.ROW_MAJOR);
    Operand to = builder.out(out, out.dtype(), Layout.ROW_MAJOR);
    Flat.copy(builder, from, to);
  }
}
