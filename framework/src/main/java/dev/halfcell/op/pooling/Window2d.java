package dev.halfcell.op.pooling;

import dev.halfcell.op.Padding2d;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Shape;

/**
 * The windows of a 2-d pooling: output height = (H + top + bottom − height) / strideHeight + 1,
 * rounded down, and the same for the width. The padding is smaller than the window, so that each
 * window meets the image.
 *
 * @param height rows of a window
 * @param width columns of a window
 * @param strideHeight pixels from one window to the next, downward
 * @param strideWidth pixels from one window to the next, to the right
 * @param padding around the image
 */
public record Window2d(int height, int width, int strideHeight, int strideWidth, Padding2d padding)
    implements Windows2d {
  public Window2d {
    ArgumentException.require(
        Math.min(height, width) >= 1 && Shape.countable(height, width),
        "window",
        "at least 1 x 1, and at most " + Integer.MAX_VALUE + " places",
        height + " x " + width);
    ArgumentException.require(
        Math.min(strideHeight, strideWidth) >= 1,
        "stride",
        "at least 1",
        strideHeight + " x " + strideWidth);
    ArgumentException.require(
        Math.max(padding.top(), padding.bottom()) < height
            && Math.max(padding.left(), padding.right()) < width,
        "padding",
        "less than the window, " + height + " x " + width,
        padding);
  }

  /** A square window with the same stride and padding on both axes. */
  public static Window2d square(int size, int stride, int padding) {
    return new Window2d(size, size, stride, stride, Padding2d.of(padding));
  }

  @Override
  public int outputHeight(int input) {
    return size((long) input + padding.top() + padding.bottom() - height, strideHeight);
  }

  @Override
  public int outputWidth(int input) {
    return size((long) input + padding.left() + padding.right() - width, strideWidth);
  }

  private static int size(long room, int stride) {
    return room < 0 ? 0 : Math.toIntExact(room / stride + 1);
  }

  @Override
  public int top(int i, int input) {
    return i * strideHeight - padding.top();
  }

  @Override
  public int rows(int i, int input) {
    return height;
  }

  @Override
  public int left(int j, int input) {
    return j * strideWidth - padding.left();
  }

  @Override
  public int columns(int j, int input) {
    return width;
  }

  @Override
  public int mostRows(int input) {
    return height;
  }

  @Override
  public int mostColumns(int input) {
    return width;
  }
}
