package dev.halfcell.train;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;

/**
 * The share of samples whose largest output, or one of the k largest, is that of their label. Of
 * equal outputs the first counts as the larger; a row with a NaN counts as wrong, and so does a
 * label that is no class. Where there are no more than k classes every other row is right.
 *
 * <p>Shapes: outputs [N, C], labels [N]. Unit: a share from 0 to 1.
 *
 * <p>Source: MindSpore, nn.Accuracy and nn.TopKCategoricalAccuracy.
 */
public final class Accuracy implements Metric {
  private final int k;
  private long right;
  private long samples;

  /** Of the largest output. */
  public Accuracy() {
    this(1);
  }

  private Accuracy(int k) {
    ArgumentException.require(k >= 1, "accuracy", "the k largest outputs, k at least 1", k);
    this.k = k;
  }

  /** Of the k largest outputs. */
  public static Accuracy top(int k) {
    return new Accuracy(k);
  }

  /** {@code accuracy}, or {@code top5_accuracy} of the five largest. */
  @Override
  public String name() {
    return k == 1 ? "accuracy" : "top" + k + "_accuracy";
  }

  @Override
  public void update(Tensor output, Tensor labels) {
    requireShapes(output, labels);
    int rows = output.spec().dim(0);
    int classes = output.spec().dim(1);
    for (int row = 0; row < rows; row++) {
      if (right(output, (long) row * classes, classes, labels.at(row))) {
        right++;
      }
    }
    samples += rows;
  }

  private void requireShapes(Tensor output, Tensor labels) {
    boolean pairs =
        output.spec().rank() == 2
            && labels.spec().rank() == 1
            && labels.spec().dim(0) == output.spec().dim(0);
    boolean whole = labels.dtype() == DType.INT64 || labels.dtype() == DType.INT32;
    if (!pairs || !whole) {
      throw new UsageException(
          new Problem(
              name(),
              "",
              "outputs of [N, C] and labels of [N] in int64 or int32",
              output.spec() + " and " + labels.spec(),
              "Labels are class numbers, one for each row of outputs."));
    }
  }

  private boolean right(Tensor output, long first, int classes, double label) {
    if (label < 0 || label >= classes) {
      return false;
    }
    double own = output.at(first + (long) label);
    int larger = 0;
    for (int c = 0; c < classes; c++) {
      double value = output.at(first + c);
      if (Double.isNaN(value)) {
        return false;
      }
      larger += value > own || value == own && c < label ? 1 : 0;
    }
    return larger < k;
  }

  @Override
  public double value() {
    return Metric.mean(name(), (double) right, samples);
  }
}
