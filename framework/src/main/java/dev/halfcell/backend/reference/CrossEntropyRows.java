package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Loops.fill;
import static dev.halfcell.backend.reference.Loops.sum;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import dev.halfcell.op.loss.Targets;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.stream.IntStream;

/** The rows of a softmax cross entropy, and those of them that count. */
final class CrossEntropyRows {
  private static final int LEFT_OUT = -1;

  private final Targets targets;
  private final LossReduction reduction;
  private final int classes;
  private final int[] label;
  private final int counted;
  private final double[] log;

  CrossEntropyRows(SoftmaxCrossEntropy op, CellPath at, List<Tensor> in) {
    this(op, op, at, in);
  }

  CrossEntropyRows(SoftmaxCrossEntropyGradient op, CellPath at, List<Tensor> in) {
    this(op.of(), op, at, in);
  }

  private CrossEntropyRows(SoftmaxCrossEntropy loss, Loss op, CellPath at, List<Tensor> in) {
    targets = loss.targets();
    reduction = loss.reduction();
    classes = in.getFirst().spec().dim(1);
    label =
        IntStream.range(0, in.get(1).spec().dim(0))
            .map(
                row -> {
                  long value = Elements.whole(in.get(1).data(), in.get(1).dtype(), row);
                  return targets.counts(value)
                      ? Targets.requireClass(op.label(), at, value, row, classes)
                      : LEFT_OUT;
                })
            .toArray();
    counted = (int) IntStream.of(label).filter(each -> each != LEFT_OUT).count();
    log = LossKernels.logSoftmax(in.getFirst().toArray(), classes);
  }

  double[] loss() {
    double[] each = fill(label.length, row -> label[row] == LEFT_OUT ? 0 : entropy(row));
    return LossKernels.reduced(reduction, each, counted);
  }

  private double entropy(int row) {
    double smoothing = targets.smoothing();
    double ofLabel = -log[row * classes + label[row]];
    return smoothing == 0
        ? ofLabel
        : (1 - smoothing) * ofLabel
            - smoothing / classes * sum(classes, c -> log[row * classes + c]);
  }

  double[] gradient(double[] d) {
    double smoothing = targets.smoothing();
    double[] share = LossKernels.shares(reduction, d, label.length, counted);
    return fill(
        log.length,
        i -> {
          int target = label[i / classes];
          if (target == LEFT_OUT) {
            return 0;
          }
          double wanted = smoothing / classes + (target == i % classes ? 1 - smoothing : 0);
          return share[i / classes] * (Math.exp(log[i]) - wanted);
        });
  }
}
