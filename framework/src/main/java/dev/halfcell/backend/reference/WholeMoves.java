package dev.halfcell.backend.reference;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.collective.CollectiveOp;
import dev.halfcell.op.indexing.Gather;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CellOutput;
import dev.halfcell.op.shape.Concat;
import dev.halfcell.op.shape.Pad;
import dev.halfcell.op.shape.Rearrangement;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Ops that move whole numbers of 64 bits, which a double cannot hold: the numbers of the elements
 * are moved in their place, and tell where each element of the result comes from.
 */
final class WholeMoves {
  /** Where there is no element, but the padding's value. */
  private static final int PADDING = -1;

  private WholeMoves() {}

  static boolean needed(Op op, List<Tensor> in, List<Tensor> out) {
    return in.getFirst().dtype() == DType.INT64
        && out.getFirst().dtype() == DType.INT64
        && (op instanceof Rearrangement
            || op instanceof Gather
            || op instanceof CellOutput
            || op instanceof CollectiveOp
            || op instanceof Cast);
  }

  static void run(Op op, List<Tensor> in, Tensor out, CellPath at) {
    List<Tensor> moved = op instanceof Concat ? in : in.subList(0, 1);
    List<Tensor> numbers = new ArrayList<>();
    long count = 0;
    for (Tensor x : moved) {
      numbers.add(numbered(x, count));
      count += x.spec().size();
    }
    numbers.addAll(in.subList(moved.size(), in.size()));
    Op mover = op instanceof Pad pad ? padding(pad) : op;
    double[] from = Kernels.compute(mover, numbers, List.of(out), at).getFirst();
    for (int i = 0; i < from.length; i++) {
      long value =
          from[i] == PADDING && op instanceof Pad pad
              ? (long) pad.value()
              : element(moved, (long) from[i]);
      out.data().setAtIndex(ValueLayout.JAVA_LONG, i, value);
    }
  }

  private static Pad padding(Pad pad) {
    return new Pad(pad.before(), pad.between(), pad.after(), PADDING);
  }

  private static Tensor numbered(Tensor x, long first) {
    double[] numbers = Loops.fill(Math.toIntExact(x.spec().size()), i -> first + i);
    return Tensor.over(x.spec().as(DType.FP64), MemorySegment.ofArray(numbers));
  }

  /** The element of this number, where the elements of all tensors are counted one by one. */
  private static long element(List<Tensor> tensors, long number) {
    long rest = number;
    int tensor = 0;
    while (rest >= tensors.get(tensor).spec().size()) {
      rest -= tensors.get(tensor++).spec().size();
    }
    return Elements.whole(tensors.get(tensor).data(), DType.INT64, rest);
  }
}
