package dev.halfcell.nn;

import dev.halfcell.op.pooling.AdaptiveWindow2d;
import dev.halfcell.tensor.Tensor;

/**
 * The largest value of each of so many windows that the output has the size that is asked for.
 *
 * <p>Shapes: x [N, C, H, W], y [N, C, height, width]. Op: {@link dev.halfcell.op.pooling.MaxPool2d}
 * over {@link AdaptiveWindow2d}.
 */
public final class AdaptiveMaxPool2d extends Cell {
  private final AdaptiveWindow2d windows;

  /** An output of this size. */
  public AdaptiveMaxPool2d(int height, int width) {
    windows = new AdaptiveWindow2d(height, width);
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().maxPool2d(windows, f.only(inputs));
  }
}
