package dev.halfcell.backend.reference;

import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.Shape;

/**
 * All the triples (element of the output, element of the input, element of the weight) that meet in
 * a convolution. Padding meets nothing.
 */
record ConvolutionWalk(Conv2dGeometry geometry, Shape input, Shape weight) {
  /** Triples side by side in one row of the output. */
  @FunctionalInterface
  interface Row {
    /**
     * Output elements {@code output}, {@code output + 1}, ... meet the input elements {@code
     * image}, {@code image + step}, ..., all of them through the weight element {@code weight}.
     */
    void meet(int count, int image, int step, int output, int weight);
  }

  int outputHeight() {
    return geometry.outputHeight(input.dim(2), weight.dim(2));
  }

  int outputWidth() {
    return geometry.outputWidth(input.dim(3), weight.dim(3));
  }

  int outputSize() {
    return input.dim(0) * weight.dim(0) * outputHeight() * outputWidth();
  }

  void rows(Row row) {
    for (int n = 0; n < input.dim(0); n++) {
      for (int o = 0; o < weight.dim(0); o++) {
        for (int c = 0; c < weight.dim(1); c++) {
          int group = o / (weight.dim(0) / geometry.groups());
          int channel = n * input.dim(1) + group * weight.dim(1) + c;
          planes(n * weight.dim(0) + o, channel, o * weight.dim(1) + c, row);
        }
      }
    }
  }

  /** One plane of the output, one of the input, and the kernel between them. */
  private void planes(int output, int image, int kernel, Row row) {
    for (int k = 0; k < weight.dim(2); k++) {
      for (int l = 0; l < weight.dim(3); l++) {
        element(output, image, k, l, (kernel * weight.dim(2) + k) * weight.dim(3) + l, row);
      }
    }
  }

  private void element(int output, int image, int k, int l, int w, Row row) {
    int shift = l * geometry.dilationWidth() - geometry.padding().left();
    int stride = geometry.strideWidth();
    int first = Math.max(0, Math.ceilDiv(-shift, stride));
    int last = Math.min(outputWidth() - 1, Math.floorDiv(input.dim(3) - 1 - shift, stride));
    for (int i = 0; i < outputHeight() && first <= last; i++) {
      int y =
          i * geometry.strideHeight() + k * geometry.dilationHeight() - geometry.padding().top();
      if (y >= 0 && y < input.dim(2)) {
        row.meet(
            last - first + 1,
            (image * input.dim(2) + y) * input.dim(3) + first * stride + shift,
            stride,
            (output * outputHeight() + i) * outputWidth() + first,
            w);
      }
    }
  }
}
