package dev.halfcell.op.pooling;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * y[n, c, i, j] = the sum of x in window (i, j) divided by the places of a window, padding counted
 * as zeros.
 *
 * <p>Shapes: x [N, C, H, W], y [N, C, H', W'] as {@link Window2d} says. Gradient: each d is spread
 * evenly over its window.
 */
public record AvgPool2d(Window2d window) implements Pooling {
  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    new Requirements(this, in, at).count(1).rank(0, 4, "[N, C, H, W]");
    return List.of(in.getFirst().as(Pooling.pooled(this, window, in, in.getFirst().shape(), at)));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    return List.of(b.ops().run(new AvgPool2dGradient(window, b.in(0).shape()), b.d(0)));
  }
}
