package dev.halfcell.op.pooling;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * y[n, c, i, j] = the sum of x in window (i, j) divided by the number of the window's places.
 *
 * <p>Shapes: x [N, C, H, W], y [N, C, H', W'] as {@link Window2d} or {@link AdaptiveWindow2d} says.
 * Gradient: each d is spread evenly over the places of its window.
 *
 * @param countPadding whether places in the padding count as zeros (PyTorch's count_include_pad);
 *     else the sum is divided by the places in the image alone
 */
public record AvgPool2d(Windows2d windows, boolean countPadding) implements Pooling {
  /** Padding counts as zeros. */
  public AvgPool2d(Windows2d windows) {
    this(windows, true);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(1).rank(0, 4, "[N, C, H, W]");
    return List.of(in.getFirst().as(Pooling.pooled(this, windows, in, in.getFirst().shape(), at)));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    Shape input = b.in(0).shape();
    return List.of(b.ops().run(new AvgPool2dGradient(windows, countPadding, input), b.d(0)));
  }
}
