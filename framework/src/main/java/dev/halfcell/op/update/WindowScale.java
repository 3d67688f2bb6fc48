package dev.halfcell.op.update;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * (scale, taken, kept) → what a window's sums of scaled gradients are divided by to be the mean
 * gradient: scale · kept, or NaN where the window is to be dropped, so that its check fails.
 *
 * @param whole whether a window is dropped as soon as one of its micro-batches was not kept; else
 *     only one of which none was
 */
public record WindowScale(boolean whole) implements Window {
  /** The divisor. */
  public double of(double scale, double taken, double kept) {
    boolean dropped = kept == 0 || (whole && kept < taken);
    return dropped ? Double.NaN : scale * kept;
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at)
        .count(3)
        .floating(0)
        .dtype(1, 3, DType.INT64)
        .rank(0, 0, "[]")
        .rank(1, 0, "[]")
        .rank(2, 0, "[]");
    return in.subList(0, 1);
  }
}
