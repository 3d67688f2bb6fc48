package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.convolution.Convolution;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * How kernels see a convolution: {@code convolution.cuh}.
 *
 * @param image the shape of x, as the forward convolution sees it
 * @param windows the shape of y, likewise
 * @param transposed whether the image is computed from the windows
 */
record ConvolutionShapes(
    Conv2dGeometry geometry, Shape image, Shape weight, Shape windows, boolean transposed) {

  /**
   * Those of an op.
   *
   * @throws dev.halfcell.tensor.UsageException where they are too large to be counted
   */
  static ConvolutionShapes of(Convolution op, List<TensorSpec> in, TensorSpec out, CellPath at) {
    Shape first = in.get(0).shape();
    Shape second = in.get(1).shape();
    Conv2dGeometry geometry = op.geometry();
    ConvolutionShapes shapes =
        switch (op) {
          case Conv2d _ -> new ConvolutionShapes(geometry, first, second, out.shape(), false);
          case Conv2dTranspose _, Conv2dInputGradient _ ->
              new ConvolutionShapes(geometry, out.shape(), second, first, true);
          case Conv2dWeightGradient _ ->
              new ConvolutionShapes(geometry, second, out.shape(), first, false);
        };
    if (!Tiles.count(shapes.results(), shapes.elements(), shapes.inner())) {
      throw Kernels.refusal(op.label(), in.get(0) + " and " + in.get(1), at);
    }
    return shapes;
  }

  /** Channels of what is computed, in each group. */
  int results() {
    return transposed ? weight.dim(1) : weight.dim(0) / geometry.groups();
  }

  /** Channels of what is read, in each group. */
  int sources() {
    return transposed ? weight.dim(0) / geometry.groups() : weight.dim(1);
  }

  int groups() {
    return geometry.groups();
  }

  /** The windows of all samples, for each channel. */
  long windowPlaces() {
    return (long) windows.dim(0) * windows.dim(2) * windows.dim(3);
  }

  /** The elements of the weight by which a channel of the windows meets the image. */
  int elements() {
    return Math.toIntExact(weight.tail().size());
  }

  /** The most products that are added up to an element of the result. */
  long inner() {
    return (long) sources() * weight.dim(2) * weight.dim(3);
  }

  /** How many convolutions of stride 1 compute the image, one after the other. */
  long phases() {
    return rows().phases() * columns().phases();
  }

  /** The places that the largest phase computes, for each channel. */
  long phasePlaces() {
    return transposed
        ? image.dim(0)
            * Math.ceilDiv(image.dim(2), rows().phases())
            * Math.ceilDiv(image.dim(3), columns().phases())
        : windowPlaces();
  }

  /**
   * For a kernel that computes the result in so many tiles.
   *
   * @param relu whether what is below 0 becomes 0
   */
  Argument argument(long across, long down, boolean relu) {
    List<Long> words = new ArrayList<>();
    words.add((long) image.dim(0));
    words.add((long) groups());
    words.add((long) results());
    words.add((long) sources());
    words.add(transposed ? 1L : 0L);
    words.add(relu ? 1L : 0L);
    words.add(across);
    words.add(down);
    words.addAll(rows().words());
    words.addAll(columns().words());
    return new Argument.Words(words);
  }

  private Axis rows() {
    return new Axis(
        new Sizes(image.dim(2), windows.dim(2), weight.dim(2)),
        geometry.strideHeight(),
        geometry.dilationHeight(),
        geometry.padding().top(),
        transposed);
  }

  private Axis columns() {
    return new Axis(
        new Sizes(image.dim(3), windows.dim(3), weight.dim(3)),
        geometry.strideWidth(),
        geometry.dilationWidth(),
        geometry.padding().left(),
        transposed);
  }

  /** Along an axis. */
  private record Sizes(int image, int windows, int kernel) {}

  private record Axis(Sizes sizes, int stride, int dilation, int before, boolean transposed) {
    long phases() {
      return transposed ? Math.min(stride, sizes.image) : 1;
    }

    /** Places of the kernel that far apart meet the same phase. */
    private long skip() {
      return stride / BigInteger.valueOf(stride).gcd(BigInteger.valueOf(dilation)).longValue();
    }

    List<Long> words() {
      return List.of(
          (long) sizes.image,
          (long) sizes.windows,
          (long) sizes.kernel,
          (long) stride,
          (long) dilation,
          (long) before,
          phases(),
          skip());
    }
  }
}
