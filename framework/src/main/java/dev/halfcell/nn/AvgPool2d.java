package dev.halfcell.nn;

import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.tensor.Tensor;

/**
 * The mean of each window.
 *
 * <p>Shapes: x [N, C, H, W], y [N, C, H', W'] as {@link Window2d} says. Op: {@link
 * dev.halfcell.op.pooling.AvgPool2d}.
 */
public final class AvgPool2d extends Cell {
  private final dev.halfcell.op.pooling.AvgPool2d pooling;

  /** Square windows side by side. */
  public AvgPool2d(int size) {
    this(Window2d.square(size, size, 0));
  }

  /** Any windows, padding counted as zeros. */
  public AvgPool2d(Window2d window) {
    this(window, true);
  }

  /**
   * Any windows.
   *
   * @param countPadding whether padding counts as zeros; else only what lies in the image does
   */
  public AvgPool2d(Window2d window, boolean countPadding) {
    pooling = new dev.halfcell.op.pooling.AvgPool2d(window, countPadding);
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().run(pooling, f.only(inputs));
  }
}
