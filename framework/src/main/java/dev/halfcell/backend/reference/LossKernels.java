package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Loops.fill;
import static dev.halfcell.backend.reference.Loops.square;
import static dev.halfcell.backend.reference.Loops.sum;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.loss.BceWithLogits;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.op.loss.CtcLossGradient;
import dev.halfcell.op.loss.ElementLoss;
import dev.halfcell.op.loss.ElementLossGradient;
import dev.halfcell.op.loss.L1;
import dev.halfcell.op.loss.Loss;
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
      case ElementLoss loss -> List.of(loss(loss, in.get(0).toArray(), in.get(1).toArray()));
      case ElementLossGradient(ElementLoss loss) -> {
        double[] x = in.get(0).toArray();
        double[] target = in.get(1).toArray();
        double share = in.get(2).item() / x.length;
        yield List.of(fill(x.length, i -> share * slope(loss, x[i], target[i])));
      }
      case SoftmaxCrossEntropy loss -> List.of(new CrossEntropyRows(loss, at, in).loss());
      case SoftmaxCrossEntropyGradient loss ->
          List.of(new CrossEntropyRows(loss, at, in).gradient(in.get(2).item()));
      case CtcLoss loss -> new CtcAlignments(loss, at, in).compute();
      case CtcLossGradient() -> {
        double[] slope = in.getFirst().toArray();
        double d = in.getLast().item();
        yield List.of(fill(slope.length, i -> d * slope[i]));
      }
    };
  }

  private static double[] loss(ElementLoss loss, double[] x, double[] target) {
    return new double[] {sum(x.length, i -> of(loss, x[i], target[i])) / x.length};
  }

  private static double of(ElementLoss loss, double x, double target) {
    double distance = Math.abs(x - target);
    return switch (loss) {
      case MeanSquaredError() -> square(distance);
      case L1() -> distance;
      case SmoothL1(double beta) ->
          distance < beta ? square(distance) / (2 * beta) : distance - beta / 2;
      case BceWithLogits() -> Math.max(x, 0) - x * target + Math.log1p(Math.exp(-Math.abs(x)));
    };
  }

  private static double slope(ElementLoss loss, double x, double target) {
    return switch (loss) {
      case MeanSquaredError() -> 2 * (x - target);
      case L1() -> Math.signum(x - target);
      case SmoothL1(double beta) -> Math.clamp((x - target) / beta, -1.0, 1.0);
      case BceWithLogits() -> 1 / (1 + Math.exp(-x)) - target;
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
