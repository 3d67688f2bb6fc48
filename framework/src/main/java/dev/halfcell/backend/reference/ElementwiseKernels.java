package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Loops.fill;

import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Broadcast;
import dev.halfcell.op.elementwise.Elementwise;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.elementwise.ZerosLike;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.List;

final class ElementwiseKernels {
  private ElementwiseKernels() {}

  static double[] compute(Elementwise op, List<Tensor> in) {
    double[] a = in.getFirst().toArray();
    return switch (op) {
      case Add() -> add(in);
      case Relu() -> fill(a.length, i -> a[i] <= 0 ? 0 : a[i]); // so that a NaN stays one
      case ReluGradient() -> {
        double[] y = in.get(1).toArray();
        yield fill(a.length, i -> y[i] > 0 ? a[i] : 0);
      }
      case ZerosLike() -> new double[a.length];
    };
  }

  private static double[] add(List<Tensor> in) {
    Shape to = Broadcast.of(in.get(0).shape(), in.get(1).shape());
    double[] a = repeated(in.get(0), to);
    double[] b = repeated(in.get(1), to);
    return fill(a.length, i -> a[i] + b[i]);
  }

  private static double[] repeated(Tensor x, Shape to) {
    double[] values = x.toArray();
    int missing = to.rank() - x.shape().rank();
    int[] from = Loops.positions(to, axis -> axis < missing || x.shape().dim(axis - missing) == 1);
    return fill(from.length, i -> values[from[i]]);
  }
}
