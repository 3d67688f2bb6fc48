package dev.halfcell.op;

import dev.halfcell.tensor.ArgumentException;

/** Rows and columns of a kernel, or from one place to the next, in pixels. */
public record Size2d(int height, int width) {
  public Size2d {
    ArgumentException.require(
        Math.min(height, width) >= 1, "size", "at least 1 x 1", height + " x " + width);
  }

  /** As many rows as columns. */
  public static Size2d square(int pixels) {
    return new Size2d(pixels, pixels);
  }

  @Override
  public String toString() {
    return height + " x " + width;
  }
}
