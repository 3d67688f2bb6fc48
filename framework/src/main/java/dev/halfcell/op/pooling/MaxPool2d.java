package dev.halfcell.op.pooling;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * y[n, c, i, j] = the largest x in window (i, j), and its place in the window, row by row: k ·
 * width + l, with the width of the widest window. Padding is never the largest. Of equal values the
 * first counts; a NaN is larger than every number.
 *
 * <p>Shapes: x [N, C, H, W], y and position [N, C, H', W'] as {@link Window2d} or {@link
 * AdaptiveWindow2d} says. Dtypes: position is UINT8 where a window has at most 256 places, else
 * INT32. Gradient: each d goes to the place its maximum came from.
 */
public record MaxPool2d(Windows2d windows) implements Pooling {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(1).rank(0, 4, "[N, C, H, W]");
    Shape pooled = Pooling.pooled(this, windows, in, in.getFirst().shape(), at);
    return List.of(
        in.getFirst().as(pooled), new TensorSpec(position(windows, in.getFirst().shape()), pooled));
  }

  /** The dtype of positions inside a window. */
  static DType position(Windows2d windows, Shape image) {
    long places = (long) windows.mostRows(image.dim(2)) * windows.mostColumns(image.dim(3));
    return places <= 256 ? DType.UINT8 : DType.INT32;
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(b.ops().run(new MaxPool2dGradient(windows, b.in(0).shape()), b.d(0), b.out(1)));
  }
}
