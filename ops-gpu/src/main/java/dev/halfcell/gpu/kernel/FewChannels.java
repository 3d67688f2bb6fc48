package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Optional;

/**
 * Convolutions in half of images of few channels by wide kernels, as first layers of networks are,
 * and their gradients by the weight: {@code few_channels.cu} and {@code few_channels_weight.cu}.
 *
 * @param segment the places of a row that a block computes with at once
 */
record FewChannels(ConvolutionShapes of, int segment) {
  /** The places that tensor cores take at once. */
  private static final int SLICE = 16;

  private static final int MOST_PLACES = 128;

  /** Neighbours of a row that a place has memory for. */
  private static final int EIGHT = 8;

  /** With fewer columns, or fewer results, most of what tensor cores multiply is nothing. */
  private static final int LEAST_COLUMNS = 3;

  private static final int LEAST_RESULTS = 32;
  private static final int MOST_RESULTS = 64;

  /** Rows of the kernel, of all channels: what a place meets fills eleven slices at most. */
  private static final int MOST_LINES = 22;

  /** Halves from a place to the next in shared memory. */
  private static final long APART = 11 * SLICE + EIGHT;

  /** Blocks that a multiprocessor runs at the same time. */
  private static final int AT_ONCE = 2;

  /** As many parts keep a large GPU busy. */
  private static final int BUSY = 256;

  /**
   * A convolution; none where it is another one.
   *
   * @param relu whether what is below 0 becomes 0
   */
  static Optional<Recipe> convolution(
      KernelLibrary kernels, DType dtype, ConvolutionShapes of, boolean relu) {
    return of(of, dtype)
        .filter(few -> few.sharedBytes() <= kernels.mostSharedBytes())
        .map(few -> few.convolution(kernels, dtype, relu));
  }

  /** A gradient by the weight; none where it is another one. */
  static Optional<Recipe> weights(
      KernelLibrary kernels, DType dtype, TensorSpec out, ConvolutionShapes of) {
    return of(of, dtype)
        .filter(few -> few.weightSharedBytes() <= kernels.mostSharedBytes())
        .map(few -> few.weights(kernels, dtype, out));
  }

  private static Optional<FewChannels> of(ConvolutionShapes of, DType dtype) {
    Conv2dGeometry geometry = of.geometry();
    int columns = of.windows().dim(3);
    boolean few =
        dtype.half()
            && !of.transposed()
            && of.groups() == 1
            && geometry.dilationHeight() == 1
            && geometry.dilationWidth() == 1
            && of.weight().dim(3) >= LEAST_COLUMNS
            && of.weight().dim(3) <= EIGHT
            && of.sources() * (long) of.weight().dim(2) <= MOST_LINES
            && of.results() >= LEAST_RESULTS
            && of.results() <= MOST_RESULTS
            && columns % EIGHT == 0;
    int segments = Math.ceilDiv(columns, MOST_PLACES);
    int slices = Math.ceilDiv(Math.ceilDiv(columns, segments), SLICE);
    return few ? Optional.of(new FewChannels(of, slices * SLICE)) : Optional.empty();
  }

  private long segments() {
    return (long) of.image().dim(0)
        * of.windows().dim(2)
        * Math.ceilDiv(of.windows().dim(3), segment);
  }

  /** Of what the lines of a kernel meet of the image. */
  private long frameBytes() {
    long across = (segment - 1L) * of.geometry().strideWidth() + EIGHT + 1;
    return across / 2 * 2 * of.sources() * of.weight().dim(2) * DType.FP16.bytes();
  }

  /** Of what the places meet, or of weights, and of a frame. */
  private long sharedBytes() {
    return APART * Math.max(segment, MOST_RESULTS) * DType.FP16.bytes() + frameBytes();
  }

  /** Of what the places meet, of gradients and of a frame. */
  private long weightSharedBytes() {
    long gradients = (long) MOST_RESULTS * (segment + EIGHT);
    return (APART * segment + gradients) * DType.FP16.bytes() + frameBytes();
  }

  private Recipe convolution(KernelLibrary kernels, DType dtype, boolean relu) {
    int shared = Math.toIntExact(sharedBytes());
    GpuKernel kernel = kernels.kernel("few_channels", "few_channels", dtype, shared);
    long blocks = Math.min(segments(), (long) AT_ONCE * kernels.multiprocessors());
    return Recipe.of(
        place ->
            List.of(
                new KernelLaunch(
                    kernel,
                    Size.of(blocks),
                    Size.of(KernelLaunch.THREADS),
                    List.of(
                        place.in(0).argument(),
                        place.in(1).argument(),
                        place.in().size() == 3 ? place.in(2).argument() : KernelLaunch.NONE,
                        place.out(0).argument(),
                        of.argument(1, 1, relu),
                        new Argument.Int32(segment)))));
  }

  private Recipe weights(KernelLibrary kernels, DType dtype, TensorSpec out) {
    String name = "few_channels_weight";
    int shared = Math.toIntExact(weightSharedBytes());
    GpuKernel kernel = kernels.kernel(name, name, dtype, shared);
    int parts = Math.toIntExact(Math.min(BUSY, segments()));
    PartialSums sums = PartialSums.ofParts(parts);
    return Recipe.of(
        List.of(sums.bytes(out.size())),
        place -> {
          DeviceMemory memory = place.workspaces().getFirst();
          return List.of(
              new KernelLaunch(
                  kernel,
                  Size.of(parts),
                  Size.of(KernelLaunch.THREADS),
                  List.of(
                      place.in(0).argument(),
                      place.in(1).argument(),
                      new Argument.Address(memory),
                      of.argument(1, 1, false),
                      new Argument.Int32(segment),
                      new Argument.Int32(parts))),
              sums.put(kernels, memory, KernelLaunch.NONE, place.out(0), false));
        });
  }
}
