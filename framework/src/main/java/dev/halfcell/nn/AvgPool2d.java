package dev.halfcell.nn;

import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.tensor.Tensor;

/**
 * The mean of each window, padding counted as zeros.
 *
 * <p>Shapes: x [N, C, H, W], y [N, C, H', W'] as {@link Window2d} says. Op: {@link
 * dev.halfcell.op.pooling.AvgPool2d}.
 */
public final class AvgPool2d extends Cell {
  private final Window2d window;

  /** Square windows side by side. */
  public AvgPool2d(int size) {
    this(Window2d.square(size, size, 0));
  }

  /** Any windows. */
  public AvgPool2d(Window2d window) {
    this.window = window;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().avgPool2d(window, f.only(inputs));
  }
}
