package dev.halfcell.cpu.kernel;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;

/**
 * The gradient of a convolution by its weight, without groups or bias, as one product of matrices:
 * dᵀ · windows, with a row for each pixel of y, in which the window of x stands that the pixel is
 * computed from; where windows are single pixels, x itself or a copy of those that count. Its parts
 * are rows or columns of the weight. Those of {@link ConvolutionParameterGradients} are samples,
 * each with a whole weight of its own, to be reordered and added, and oneDNN sums along rows of y:
 * with a large weight and few pixels that took up to eight times as long (ADR 0006).
 */
record WeightGradientProduct(
    KernelBuilder builder, Conv2dGeometry geometry, Operand d, Operand x, Operand dweight) {
  static final int SHORT_ROW = 8;
  private static final int SHORT_ROW_IN_TILES = 16; // half of what a tile sums over at once
  private static final int MOST_PIXELS = 16; // for each channel of y

  /** Whether it can be had and is not slower. */
  static boolean suits(KernelBuilder builder, Conv2dGeometry geometry, Shape weight, Operand d) {
    Shape y = d.spec().shape();
    boolean tiles = d.dtype().half() && builder.onednn().isa().tiles();
    return geometry.groups() == 1
        && (single(weight) && geometry.padding().equals(Padding2d.NONE)
            ? tiles || largeWeight(weight, y)
            : d.dtype().half() && smallImages(y, tiles ? SHORT_ROW_IN_TILES : SHORT_ROW));
  }

  /**
   * Whether the weight has more numbers than a channel of y: parts were faster for smaller ones.
   */
  private static boolean largeWeight(Shape weight, Shape y) {
    return weight.size() > y.size() / y.dim(1);
  }

  /** Whether rows are too short for oneDNN, and the windows not much larger than the weight. */
  private static boolean smallImages(Shape y, int row) {
    long pixels = y.size() / y.dim(1);
    return y.dim(3) < row && pixels <= (long) MOST_PIXELS * y.dim(1);
  }

  private static boolean single(Shape weight) {
    return weight.dim(2) == 1 && weight.dim(3) == 1;
  }

  void build() {
    Shape weight = dweight.spec().shape();
    Operand sums = builder.out(dweight, DType.FP32, Layout.CHANNELS_LAST);
    Shape shape = Shape.of(weight.dim(0), weight.dim(1) * weight.dim(2) * weight.dim(3));
    Operand out = new Operand(sums.spec().as(shape), Layout.ROW_MAJOR, sums.region());
    MatrixKernels.weightGradient(builder, rows(d), windows(), out);
  }

  private Operand windows() {
    Shape weight = dweight.spec().shape();
    boolean all =
        geometry.strideHeight() == 1
            && geometry.strideWidth() == 1
            && geometry.padding().equals(Padding2d.NONE);
    return single(weight) && all
        ? rows(x)
        : WindowRows.stage(builder, geometry, weight, x, d.spec().shape());
  }

  /** An image with its channels last as a matrix with a row for each pixel. */
  private static Operand rows(Operand image) {
    int channels = image.spec().dim(1);
    Shape rows = Shape.of(Math.toIntExact(image.spec().size() / channels), channels);
    return new Operand(image.spec().as(rows), Layout.ROW_MAJOR, image.region());
  }
}
