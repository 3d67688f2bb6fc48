package dev.halfcell.cpu.kernel;

import dev.halfcell.op.pooling.Windows2d;
import dev.halfcell.tensor.Shape;

/**
 * The windows of a pooling on planes of pixels in memory order. Row-major, a plane is one channel
 * of one sample and a pixel one number; channels last, a plane is a sample and a pixel all its
 * channels.
 *
 * @param pixel the numbers of a pixel
 */
record Windows(
    Windows2d windows,
    int planes,
    int pixel,
    int height,
    int width,
    int pooledHeight,
    int pooledWidth) {
  static Windows of(Windows2d windows, Operand image, Operand pooled) {
    Shape shape = image.spec().shape();
    boolean last = image.layout() == Layout.CHANNELS_LAST;
    return new Windows(
        windows,
        last ? shape.dim(0) : shape.dim(0) * shape.dim(1),
        last ? shape.dim(1) : 1,
        shape.dim(2),
        shape.dim(3),
        pooled.spec().dim(2),
        pooled.spec().dim(3));
  }

  /** The numbers of a plane of the image. */
  int imageSize() {
    return height * width * pixel;
  }

  /** The numbers of a plane of what is pooled. */
  int pooledSize() {
    return pooledHeight * pooledWidth * pixel;
  }

  /** A pixel of the image that lies in a window. */
  @FunctionalInterface
  interface Visit {
    /** The first number of the window's pixel and of the image's, and the place in the window. */
    void meet(int pooled, int image, int place);
  }

  /** Visits the pixels of all windows, each window row by row; padding is left out. */
  void visit(Visit visit) {
    for (int i = 0; i < pooledHeight; i++) {
      for (int j = 0; j < pooledWidth; j++) {
        window(i, j, visit);
      }
    }
  }

  private void window(int i, int j, Visit visit) {
    int top = windows.top(i, height);
    int left = windows.left(j, width);
    int bottom = Math.min(windows.rows(i, height), height - top);
    int right = Math.min(windows.columns(j, width), width - left);
    int pooled = (i * pooledWidth + j) * pixel;
    for (int k = Math.max(0, -top); k < bottom; k++) {
      for (int l = Math.max(0, -left); l < right; l++) {
        int image = ((top + k) * width + left + l) * pixel;
        visit.meet(pooled, image, k * windows.mostColumns(width) + l);
      }
    }
  }

  /** For each number that is pooled, what its window's sum is divided by for the mean. */
  float[] counts(boolean countPadding) {
    float[] counts = new float[pooledSize()];
    for (int index = 0; index < counts.length; index++) {
      int j = index / pixel % pooledWidth;
      int i = index / pixel / pooledWidth;
      counts[index] =
          countPadding
              ? windows.rows(i, height) * windows.columns(j, width)
              : windows.rowsInside(i, height) * windows.columnsInside(j, width);
    }
    return counts;
  }
}
