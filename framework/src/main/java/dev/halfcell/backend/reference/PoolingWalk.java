package dev.halfcell.backend.reference;

import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.tensor.Shape;

/** All the places of all windows of a pooling that lie in the image, each window row by row. */
record PoolingWalk(Window2d window, Shape input) {
  /** One place of one window. */
  @FunctionalInterface
  interface Visit {
    /** Output element, input element, and the number of the place in the window. */
    void meet(int output, int image, int place);
  }

  int windowSize() {
    return window.height() * window.width();
  }

  int inputSize() {
    return Math.toIntExact(input.size());
  }

  int outputSize() {
    return input.dim(0) * input.dim(1) * outputHeight() * outputWidth();
  }

  private int outputHeight() {
    return window.outputHeight(input.dim(2));
  }

  private int outputWidth() {
    return window.outputWidth(input.dim(3));
  }

  void places(Visit visit) {
    for (int output = 0; output < outputSize(); output++) {
      int j = output % outputWidth();
      int i = output / outputWidth() % outputHeight();
      int plane = output / outputWidth() / outputHeight();
      int top = i * window.strideHeight() - window.padding().top();
      int left = j * window.strideWidth() - window.padding().left();
      for (int place = 0; place < windowSize(); place++) {
        int row = top + place / window.width();
        int column = left + place % window.width();
        if (row >= 0 && row < input.dim(2) && column >= 0 && column < input.dim(3)) {
          visit.meet(output, (plane * input.dim(2) + row) * input.dim(3) + column, place);
        }
      }
    }
  }
}
