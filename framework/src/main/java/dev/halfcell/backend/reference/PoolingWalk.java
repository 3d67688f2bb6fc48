package dev.halfcell.backend.reference;

import dev.halfcell.op.pooling.Windows2d;
import dev.halfcell.tensor.Shape;

/** All the places of all windows of a pooling that lie in the image, each window row by row. */
record PoolingWalk(Windows2d windows, Shape input) {
  /** One place of one window. */
  @FunctionalInterface
  interface Visit {
    /** Output element, input element, and the number of the place in the window. */
    void meet(int output, int image, int place);
  }

  /** What the sum of an output element's window is divided by for the mean. */
  int count(int output, boolean countPadding) {
    int j = output % outputWidth();
    int i = output / outputWidth() % outputHeight();
    int height = input.dim(2);
    int width = input.dim(3);
    return countPadding
        ? windows.rows(i, height) * windows.columns(j, width)
        : windows.rowsInside(i, height) * windows.columnsInside(j, width);
  }

  int inputSize() {
    return Math.toIntExact(input.size());
  }

  int outputSize() {
    return input.dim(0) * input.dim(1) * outputHeight() * outputWidth();
  }

  private int outputHeight() {
    return windows.outputHeight(input.dim(2));
  }

  private int outputWidth() {
    return windows.outputWidth(input.dim(3));
  }

  void places(Visit visit) {
    for (int output = 0; output < outputSize(); output++) {
      int j = output % outputWidth();
      int i = output / outputWidth() % outputHeight();
      int plane = output / outputWidth() / outputHeight();
      int top = windows.top(i, input.dim(2));
      int left = windows.left(j, input.dim(3));
      for (int k = 0; k < windows.rows(i, input.dim(2)); k++) {
        for (int l = 0; l < windows.columns(j, input.dim(3)); l++) {
          int row = top + k;
          int column = left + l;
          if (row >= 0 && row < input.dim(2) && column >= 0 && column < input.dim(3)) {
            int image = (plane * input.dim(2) + row) * input.dim(3) + column;
            visit.meet(output, image, k * windows.mostColumns(input.dim(3)) + l);
          }
        }
      }
    }
  }
}
