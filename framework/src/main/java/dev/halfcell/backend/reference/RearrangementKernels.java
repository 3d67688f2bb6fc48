package dev.halfcell.backend.reference;

import dev.halfcell.op.shape.Rearrangement;
import dev.halfcell.op.shape.Repeat;
import dev.halfcell.op.shape.Reshape;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.List;

final class RearrangementKernels {
  private RearrangementKernels() {}

  static double[] compute(Rearrangement op, List<Tensor> in) {
    double[] x = in.getFirst().toArray();
    return switch (op) {
      case Reshape _ -> x;
      case Repeat(Shape to, List<Integer> axes) -> {
        int[] from = Loops.positions(to, axes::contains);
        yield Loops.fill(from.length, i -> x[from[i]]);
      }
    };
  }
}
