package dev.halfcell.backend.reference;

import dev.halfcell.op.reduction.Reduction;
import dev.halfcell.op.reduction.Sum;
import dev.halfcell.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

final class ReductionKernels {
  private ReductionKernels() {}

  static double[] compute(Reduction op, List<Tensor> in) {
    return switch (op) {
      case Sum(List<Integer> axes, _) -> sum(in.getFirst(), axes);
    };
  }

  private static double[] sum(Tensor in, List<Integer> axes) {
    double[] x = in.toArray();
    int[] to = Loops.positions(in.shape(), axes::contains);
    double[] sums = new double[Arrays.stream(to).max().orElse(0) + 1];
    for (int i = 0; i < x.length; i++) {
      sums[to[i]] += x[i];
    }
    return sums;
  }
}
