package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Loops.fill;

import dev.halfcell.op.elementwise.Affine;
import dev.halfcell.op.elementwise.Binary;
import dev.halfcell.op.elementwise.Broadcast;
import dev.halfcell.op.elementwise.Compare;
import dev.halfcell.op.elementwise.Comparison;
import dev.halfcell.op.elementwise.Curve;
import dev.halfcell.op.elementwise.CurveGradient;
import dev.halfcell.op.elementwise.Elementwise;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.elementwise.Sloped;
import dev.halfcell.op.elementwise.SlopedGradient;
import dev.halfcell.op.elementwise.Where;
import dev.halfcell.op.elementwise.WhereGradient;
import dev.halfcell.op.elementwise.ZerosLike;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.function.ToDoubleFunction;

final class ElementwiseKernels {
  private ElementwiseKernels() {}

  static double[] compute(Elementwise op, List<Tensor> in) {
    return switch (op) {
      case Affine(double multiplier, double addend) ->
          places(in, here -> multiplier * here[0] + addend);
      case Curve curve -> places(in, here -> curve.value(here[0]));
      case CurveGradient(Curve of) -> places(in, here -> here[0] * of.derivative(here[1]));
      case Binary binary -> places(in, here -> binary.value(here[0], here[1]));
      case SlopedGradient(Sloped of, int input) ->
          places(in, here -> here[0] * of.slope(input, here[1], here[2]));
      case Compare(Comparison comparison) ->
          in.getFirst().dtype() == DType.INT64
              ? compareWhole(comparison, in)
              : places(in, here -> comparison.holds(here[0], here[1]) ? 1 : 0);
      case Where() -> places(in, here -> here[2] != 0 ? here[0] : here[1]);
      case WhereGradient(boolean taken) ->
          places(in, here -> (here[1] != 0) == taken ? here[0] : 0);
      case Relu() -> places(in, here -> here[0] <= 0 ? 0 : here[0]); // so that a NaN stays one
      case ReluGradient() -> places(in, here -> here[1] > 0 ? here[0] : 0);
      case ZerosLike() -> places(in, _ -> 0);
    };
  }

  /** A double cannot tell all whole numbers of 64 bits apart. */
  private static double[] compareWhole(Comparison comparison, List<Tensor> in) {
    Tensor a = in.getFirst();
    Tensor b = in.getLast();
    Shape to = Broadcast.of(a.shape(), b.shape());
    int[] ofA = Loops.positions(to, Broadcast.repeats(a.shape(), to.rank()));
    int[] ofB = Loops.positions(to, Broadcast.repeats(b.shape(), to.rank()));
    return fill(
        ofA.length,
        i -> {
          long left = Elements.whole(a.data(), DType.INT64, ofA[i]);
          long right = Elements.whole(b.data(), DType.INT64, ofB[i]);
          return comparison.holds(Long.compare(left, right), 0) ? 1 : 0;
        });
  }

  /** Computes each place of what the inputs broadcast to from what they hold there. */
  private static double[] places(List<Tensor> in, ToDoubleFunction<double[]> value) {
    Shape to = in.stream().map(Tensor::shape).reduce(Shape.SCALAR, Broadcast::of);
    double[][] repeated = in.stream().map(x -> repeated(x, to)).toArray(double[][]::new);
    double[] here = new double[repeated.length];
    return fill(
        Math.toIntExact(to.size()),
        i -> {
          for (int input = 0; input < here.length; input++) {
            here[input] = repeated[input][i];
          }
          return value.applyAsDouble(here);
        });
  }

  private static double[] repeated(Tensor x, Shape to) {
    double[] values = x.toArray();
    if (x.shape().equals(to)) {
      return values;
    }
    int[] from = Loops.positions(to, Broadcast.repeats(x.shape(), to.rank()));
    return fill(from.length, i -> values[from[i]]);
  }
}
