package dev.halfcell.gpu;

import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.Shape;

/** A convolution of a network, by the shapes of what it reads. */
record ConvolutionLayer(Shape image, Shape weight, Conv2dGeometry geometry) {
  /** What it yields. */
  Shape windows() {
    return Shape.of(
        image.dim(0),
        weight.dim(0),
        geometry.outputHeight(image.dim(2), weight.dim(2)),
        geometry.outputWidth(image.dim(3), weight.dim(3)));
  }
}
