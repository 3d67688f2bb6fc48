package dev.halfcell.nn;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.tensor.Tensor;

/**
 * The mean of each window along the last axis, padding counted as zeros.
 *
 * <p>Shapes: x [N, C, L], y [N, C, L'] with L' = (L + 2 · padding − size) / stride + 1, rounded
 * down. Op: {@link dev.halfcell.op.pooling.AvgPool2d} on an image with one row.
 */
public final class AvgPool1d extends Cell {
  private final Window2d window;

  /** Windows side by side. */
  public AvgPool1d(int size) {
    this(size, size, 0);
  }

  /** Any windows. */
  public AvgPool1d(int size, int stride, int padding) {
    window = new Window2d(1, size, 1, stride, new Padding2d(0, 0, padding, padding));
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return Lines.through(f, f.only(inputs), image -> f.ops().avgPool2d(window, image));
  }
}
