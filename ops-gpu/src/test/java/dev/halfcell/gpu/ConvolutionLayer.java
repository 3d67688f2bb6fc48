package dev.halfcell.gpu;

import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.Shape;
import java.util.List;

/** A convolution of a network, by the shapes of what it reads. */
record ConvolutionLayer(Shape image, Shape weight, Conv2dGeometry geometry) {
  /** One in one group: of an image of these sizes, by a kernel of so many rows and columns. */
  static ConvolutionLayer of(
      List<Integer> image, int results, List<Integer> kernel, Conv2dGeometry geometry) {
    Shape x = Shape.of(image.get(0), image.get(1), image.get(2), image.get(3));
    Shape weight = Shape.of(results, image.get(1), kernel.get(0), kernel.get(1));
    return new ConvolutionLayer(x, weight, geometry);
  }

  /** By a square kernel. */
  static ConvolutionLayer of(
      List<Integer> image, int results, int kernel, Conv2dGeometry geometry) {
    return of(image, results, List.of(kernel, kernel), geometry);
  }

  /** What it yields. */
  Shape windows() {
    return Shape.of(
        image.dim(0),
        weight.dim(0),
        geometry.outputHeight(image.dim(2), weight.dim(2)),
        geometry.outputWidth(image.dim(3), weight.dim(3)));
  }
}
