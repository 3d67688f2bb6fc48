package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Loops.fill;
import static dev.halfcell.backend.reference.Loops.square;
import static dev.halfcell.backend.reference.Loops.sum;

import dev.halfcell.op.SumOfProducts;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.op.precision.CellOutput;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.precision.LargestMagnitude;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.Precision;
import dev.halfcell.op.precision.ScaleUpdate;
import dev.halfcell.op.precision.StochasticCast;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.op.precision.WithPartials;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

final class PrecisionKernels {
  private PrecisionKernels() {}

  static List<double[]> compute(Precision op, List<Tensor> in) {
    return switch (op) {
      case CellOutput() -> List.of(in.getFirst().toArray());
      case Cast(DType to, CastOverflow overflow) -> {
        double[] x = in.getFirst().toArray();
        yield List.of(fill(x.length, i -> overflow.bounded(x[i], to)));
      }
      case StochasticCast cast -> List.of(stochastic(cast, in));
      case WithPartials(SumOfProducts of, DType dtype) ->
          List.of(Kernels.sums(of, in, (sum, next) -> dtype.round(sum + next)));
      case Unscale() -> {
        double[] x = in.get(0).toArray();
        double reciprocal = 1 / in.get(1).item();
        yield List.of(fill(x.length, i -> x[i] * reciprocal));
      }
      case GradientCheck() -> check(in);
      case LargestMagnitude() -> List.of(new double[] {largest(in)});
      case ScaleUpdate update -> {
        LossScale.State next = update.next(in.stream().map(Tensor::toArray).toList());
        double[] words = next.words().stream().mapToDouble(word -> word).toArray();
        List<double[]> all =
            List.of(new double[] {next.scale()}, new double[] {next.clean()}, words);
        yield update.words() > 0 ? all : all.subList(0, 2);
      }
    };
  }

  private static double[] stochastic(StochasticCast op, List<Tensor> in) {
    double[] x = in.get(0).toArray();
    double[] counters = in.get(1).toArray();
    int each = x.length / counters.length;
    long stream = op.key().stream();
    return fill(
        x.length,
        i -> op.round(x[i], RandomKey.uniform(stream, (long) counters[i / each], i % each)));
  }

  private static List<double[]> check(List<Tensor> in) {
    boolean finite = Double.isFinite(in.getFirst().item());
    double squares = 0;
    for (Tensor gradient : in.subList(1, in.size())) {
      double[] g = gradient.toArray();
      finite &= Arrays.stream(g).allMatch(Double::isFinite);
      squares += sum(g.length, i -> square(g[i]));
    }
    return List.of(new double[] {finite ? 1 : 0}, new double[] {Math.sqrt(squares)});
  }

  private static double largest(List<Tensor> gradients) {
    return gradients.stream()
        .flatMapToDouble(gradient -> Arrays.stream(gradient.toArray()))
        .map(Math::abs)
        .reduce(0, Math::max);
  }
}
