package dev.halfcell.train;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;

/**
 * The share of samples whose largest output is that of their label. Of equal outputs the first
 * counts; a row with a NaN counts as wrong.
 *
 * <p>Shapes: outputs [N, C], labels [N]. Unit: a share from 0 to 1.
 */
public final class Accuracy implements Metric {
  private long right;
  private long samples;

  @Override
  public String name() {
    return "accuracy";
  }

  @Override
  public void update(Tensor output, Tensor labels) {
    requireShapes(output, labels);
    int rows = output.spec().dim(0);
    int classes = output.spec().dim(1);
    for (int row = 0; row < rows; row++) {
      if (predicted(output, row, classes) == (long) labels.at(row)) {
        right++;
      }
    }
    samples += rows;
  }

  private static void requireShapes(Tensor output, Tensor labels) {
    boolean pairs =
        output.spec().rank() == 2
            && labels.spec().rank() == 1
            && labels.spec().dim(0) == output.spec().dim(0);
    boolean whole = labels.dtype() == DType.INT64 || labels.dtype() == DType.INT32;
    if (!pairs || !whole) {
      throw new UsageException(
          new Problem(
              "accuracy",
              "",
              "outputs of [N, C] and labels of [N] in int64 or int32",
              output.spec() + " and " + labels.spec(),
              "Labels are class numbers, one for each row of outputs."));
    }
  }

  private static int predicted(Tensor output, int row, int classes) {
    int largest = 0;
    for (int c = 0; c < classes; c++) {
      double value = output.at((long) row * classes + c);
      if (Double.isNaN(value)) {
        return -1;
      }
      if (value > output.at((long) row * classes + largest)) {
        largest = c;
      }
    }
    return largest;
  }

  @Override
  public double value() {
    if (samples == 0) {
      throw new UsageException(
          new Problem(
              "accuracy", "", "at least one sample", "none", "Evaluate on data before asking."));
    }
    return (double) right / samples;
  }
}
