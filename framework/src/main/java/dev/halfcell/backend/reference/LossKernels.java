package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Loops.fill;
import static dev.halfcell.backend.reference.Loops.square;
import static dev.halfcell.backend.reference.Loops.sum;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.loss.BceWithLogits;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.op.loss.ElementLoss;
import dev.halfcell.op.loss.ElementLossGradient;
import dev.halfcell.op.loss.L1;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.MeanSquaredError;
import dev.halfcell.op.loss.SmoothL1;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import dev.halfcell.tensor.Tensor;
import java.util.List;

final class LossKernels {
  private LossKernels() {}

  static List<double[]> compute(Loss op, List<Tensor> in, CellPath at) {
    return switch (op) {
      case ElementLoss loss -> {
        double[] x = in.get(0).toArray();
        double[] target = in.get(1).toArray();
        double[] each = fill(x.length, i -> of(loss, x[i], target[i]));
        yield List.of(reduced(loss.reduction(), each, each.length));
      }
      case ElementLossGradient(ElementLoss loss) -> {
        double[] x = in.get(0).toArray();
        double[] target = in.get(1).toArray();
        double[] share = shares(loss.reduction(), in.get(2).toArray(), x.length, x.length);
        yield List.of(fill(x.length, i -> share[i] * slope(loss, x[i], target[i])));
      }
      case SoftmaxCrossEntropy loss -> List.of(new CrossEntropyRows(loss, at, in).loss());
      case SoftmaxCrossEntropyGradient loss ->
          List.of(new CrossEntropyRows(loss, at, in).gradient(in.get(2).toArray()));
      case CtcLoss loss -> new CtcAlignments(loss, at, in).compute();
    };
  }

  /** The loss, of which {@code counted} are not left out. */
  static double[] reduced(LossReduction reduction, double[] each, int counted) {
    return switch (reduction) {
      case NONE -> each;
      case MEAN, SUM -> new double[] {sum(each.length, i -> each[i]) / reduction.divisor(counted)};
    };
  }

  /** The gradient of each of {@code count} losses, of which {@code counted} are not left out. */
  static double[] shares(LossReduction reduction, double[] d, int count, int counted) {
    return fill(count, i -> d[reduction.place(i)] / reduction.divisor(counted));
  }

  private static double of(ElementLoss loss, double x, double target) {
    double distance = Math.abs(x - target);
    return switch (loss) {
      case MeanSquaredError _ -> square(distance);
      case L1 _ -> distance;
      case SmoothL1(double beta, var _) ->
          distance < beta ? square(distance) / (2 * beta) : distance - beta / 2;
      case BceWithLogits _ -> Math.max(x, 0) - x * target + Math.log1p(Math.exp(-Math.abs(x)));
    };
  }

  private static double slope(ElementLoss loss, double x, double target) {
    return switch (loss) {
      case MeanSquaredError _ -> 2 * (x - target);
      case L1 _ -> Math.signum(x - target);
      case SmoothL1(double beta, var _) -> Math.clamp((x - target) / beta, -1.0, 1.0);
      case BceWithLogits _ -> 1 / (1 + Math.exp(-x)) - target;
    };
  }

  /** Shifted by the largest logit of each row, so that no exponential overflows. */
  static double[] logSoftmax(double[] x, int columns) {
    double[] largest = new double[x.length / columns];
    for (int r = 0; r < largest.length; r++) {
      largest[r] = x[r * columns];
      for (int c = 1; c < columns; c++) {
        largest[r] = Math.max(largest[r], x[r * columns + c]);
      }
    }
    double[] log =
        fill(
            largest.length,
            r -> Math.log(sum(columns, c -> Math.exp(x[r * columns + c] - largest[r]))));
    return fill(x.length, i -> x[i] - largest[i / columns] - log[i / columns]);
  }
}
