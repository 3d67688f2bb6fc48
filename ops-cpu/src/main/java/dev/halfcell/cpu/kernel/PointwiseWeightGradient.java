package dev.halfcell.cpu.kernel;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.Shape;
import java.util.List;

/**
 * The gradient by the weight of a convolution of 1 x 1, without padding, groups or bias, as one
 * product of matrices: dᵀ · x, a row for each pixel of y. Its parts are rows or columns of the
 * weight. Those of {@link ConvolutionParameterGradients} are samples, each with a whole weight of
 * its own, to be reordered and added; with a large weight and few pixels that took up to eight
 * times as long (ADR 0006).
 */
record PointwiseWeightGradient(
    KernelBuilder builder, Conv2dGeometry geometry, Operand d, Operand x, Operand dweight) {
  static boolean fits(Conv2dGeometry geometry, Shape weight) {
    return weight.dim(2) == 1
        && weight.dim(3) == 1
        && geometry.groups() == 1
        && geometry.padding().equals(Padding2d.NONE);
  }

  void build() {
    Shape weight = Shape.of(dweight.spec().dim(0), dweight.spec().dim(1));
    Operand out = new Operand(dweight.spec().as(weight), dweight.layout(), dweight.region());
    MatrixKernels.weightGradient(builder, pixels(d), pixels(underWindows()), out);
  }

  /** The pixels of x that the windows lie on: where these skip some, a copy. */
  private Operand underWindows() {
    if (geometry.strideHeight() == 1 && geometry.strideWidth() == 1) {
      return x;
    }
    int channels = x.spec().dim(1);
    Shape image = d.spec().shape();
    Shape box = Shape.of(image.dim(0), image.dim(2), image.dim(3), channels);
    long row = (long) x.spec().dim(3) * channels;
    List<Long> along =
        List.of(
            x.spec().dim(2) * row,
            geometry.strideHeight() * row,
            (long) geometry.strideWidth() * channels,
            1L);
    Shape shape = Shape.of(image.dim(0), channels, image.dim(2), image.dim(3));
    Operand copy = builder.workspace(x.spec().as(shape), Layout.CHANNELS_LAST);
    BoxCopy.stage(builder, box, x, new Steps(0, along), copy, Steps.whole(box));
    return copy;
  }

  /** An image with its channels last as a matrix of pixels. */
  private static Operand pixels(Operand image) {
    int channels = image.spec().dim(1);
    Shape rows = Shape.of(Math.toIntExact(image.spec().size() / channels), channels);
    return new Operand(image.spec().as(rows), Layout.ROW_MAJOR, image.region());
  }
}
