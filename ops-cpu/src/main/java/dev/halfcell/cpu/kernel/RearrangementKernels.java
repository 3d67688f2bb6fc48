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

/** Copies and repetitions, between row-major tensors. */
final class RearrangementKernels {
  private RearrangementKernels() {}

  static void build(
      KernelBuilder builder, Rearrangement op, List<Operand> in, List<Operand> out, CellPath at) {
    Operand x = rowMajor(builder, in.getFirst());
    Operand y = builder.out(out.getFirst(), out.getFirst().dtype(), Layout.ROW_MAJOR);
    Shape from = x.spec().shape();
    Shape to = y.spec().shape();
    switch (op) {
      case Reshape(_) -> Flat.copy(builder, x, y);
      case Repeat(Shape _, List<Integer> axes) -> Broadcasts.repeat(builder, x, y, axes::contains);
      case Transpose(List<Integer> permutation) ->
          BoxCopy.stage(
              builder, to, x, Steps.whole(from).permuted(permutation), y, Steps.whole(to));
      case Slice slice -> BoxCopy.stage(builder, to, x, Steps.of(slice, from), y, Steps.whole(to));
      case Pad pad -> {
        Filling.stage(builder, y, pad.value());
        BoxCopy.stage(builder, from, x, Steps.whole(from), y, Steps.of(pad.kept(from), to));
      }
      case Concat(int axis) -> concat(builder, in, axis, y);
      case ReverseSequence reverse -> SequenceReversal.stage(builder, reverse, x, in.get(1), y, at);
    }
  }

  private static Operand rowMajor(KernelBuilder builder, Operand operand) {
    return builder.in(operand, operand.dtype(), Layout.ROW_MAJOR);
  }

  private static void concat(KernelBuilder builder, List<Operand> in, int axis, Operand y) {
    Shape to = y.spec().shape();
    int start = 0;
    for (Operand each : in) {
      Shape from = each.spec().shape();
      Slice place = Slice.along(to, axis, start, from.dim(axis));
      Steps whole = Steps.whole(from);
      BoxCopy.stage(builder, from, rowMajor(builder, each), whole, y, Steps.of(place, to));
      start += from.dim(axis);
    }
  }
}
