package dev.halfcell.nn;

import dev.halfcell.op.pooling.AdaptiveWindow2d;
import dev.halfcell.tensor.Tensor;

/**
 * The mean of each of so many windows that the output has the size that is asked for.
 *
 * <p>Shapes: x [N, C, H, W], y [N, C, height, width]. Op: {@link dev.halfcell.op.pooling.AvgPool2d}
 * over {@link AdaptiveWindow2d}.
 */
public final class AdaptiveAvgPool2d extends Cell {
  private final AdaptiveWindow2d windows;

  /** An output of this size. */
  public AdaptiveAvgPool2d(int height, int width) {
    windows = new AdaptiveWindow2d(height, width);
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().avgPool2d(windows, f.only(inputs));
  }
}
