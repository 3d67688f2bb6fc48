package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Loops.fill;
import static dev.halfcell.backend.reference.Loops.square;
import static dev.halfcell.backend.reference.Loops.sum;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.loss.MeanSquaredError;
import dev.halfcell.op.loss.MeanSquaredErrorGradient;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import java.util.List;

final class LossKernels {
  private LossKernels() {}

  static double[] compute(Loss op, List<Tensor> in, CellPath at) {
    double[] x = in.get(0).toArray();
    double[] target = in.get(1).toArray();
    return switch (op) {
      case MeanSquaredError() ->
          new double[] {sum(x.length, i -> square(x[i] - target[i])) / x.length};
      case MeanSquaredErrorGradient() -> {
        double d = in.get(2).item();
        yield fill(x.length, i -> d * 2 * (x[i] - target[i]) / x.length);
      }
      case SoftmaxCrossEntropy() -> {
        int classes = requireLabels(op, in, at);
        double[] log = logSoftmax(x, classes);
        int rows = target.length;
        yield new double[] {-sum(rows, r -> log[r * classes + (int) target[r]]) / rows};
      }
      case SoftmaxCrossEntropyGradient() -> {
        int classes = requireLabels(op, in, at);
        double[] log = logSoftmax(x, classes);
        double d = in.get(2).item() / target.length;
        yield fill(
            x.length, i -> d * (Math.exp(log[i]) - (target[i / classes] == i % classes ? 1 : 0)));
      }
    };
  }

  /** Returns the number of classes. */
  private static int requireLabels(Loss op, List<Tensor> in, CellPath at) {
    int classes = in.get(0).spec().dim(1);
    double[] labels = in.get(1).toArray();
    for (int row = 0; row < labels.length; row++) {
      if (labels[row] < 0 || labels[row] >= classes) {
        throw new DataException(
            new Problem(
                op.label(),
                at.text(),
                "labels from 0 to %d (%d classes)".formatted(classes - 1, classes),
                "label %.0f in row %d".formatted(labels[row], row),
                "Check the data set's labels and the number of outputs of the network."));
      }
    }
    return classes;
  }

  /** Shifted by the largest logit of each row, so that no exponential overflows. */
  private static double[] logSoftmax(double[] x, int columns) {
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
