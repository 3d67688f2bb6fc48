package dev.halfcell.gpu.kernel;

import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import java.util.Optional;
import java.util.function.IntToLongFunction;

/**
 * How a convolution of small images, or a gradient of it, goes through the shared memory of blocks
 * strip by strip: {@code small_image.cuh}. A strip is some rows of the result.
 *
 * @param rows of a strip
 * @param strips of an image
 * @param results slices of 16 channels of the windows that a block of a weight's gradient takes
 * @param sources those of the image
 */
record SmallConvolution(int rows, int strips, int results, int sources) {
  /** The halves of shared memory that a block has. */
  private static final long MEMORY = 24_064;

  private static final int WARPS = 8;
  private static final int SLICE = 16;
  private static final int APART = 8;

  /** Places that a warp adds up for a slice of results. */
  private static final int OF_WARP = 64;

  /** More channels are worth the tiles of others. */
  private static final int MOST_CHANNELS = 64;

  private static final int LARGEST_KERNEL = 5;

  /** With lower strips most of what is read is read for others as well. */
  private static final int LOWEST = 4;

  /** As many blocks keep a large GPU busy. */
  private static final int BUSY = 256;

  /** A convolution, or its gradient by the image; none where it is not small. */
  static Optional<SmallConvolution> of(ConvolutionShapes of, DType dtype) {
    if (!small(of, dtype) || of.transposed() && !everyPlace(of.geometry())) {
      return Optional.empty();
    }
    int squares = slices(of.results());
    long lines = (long) squares * SLICE * (SLICE + APART) + APART;
    long weights = kernelHeight(of) * kernelWidth(of) * lines;
    int columns = (of.transposed() ? of.image() : of.windows()).dim(3);
    int most = WARPS / squares * OF_WARP / columns;
    return of(of, 1, most, rows -> weights + frame(of, rows, columns, slices(of.sources())), 0, 0);
  }

  /** A gradient by the weight; none where it is not small. */
  static Optional<SmallConvolution> weightGradient(ConvolutionShapes of, DType dtype) {
    long kernel = kernelHeight(of);
    if (!small(of, dtype) || kernel != kernelWidth(of) || kernel % 2 == 0) {
      return Optional.empty();
    }
    boolean large = kernel == LARGEST_KERNEL; // a unit of warps has one row of it
    int results = 1;
    int sources = large ? 1 : Math.min(2, slices(of.sources()));
    int groups = Math.ceilDiv(slices(of.results()), results);
    groups *= Math.ceilDiv(slices(of.sources()), sources);
    int columns = of.windows().dim(3);
    return of(
        of,
        groups,
        Integer.MAX_VALUE,
        rows ->
            frame(of, rows, columns, sources)
                + (long) results * SLICE * (SLICE * slices(rows * columns) + APART),
        results,
        sources);
  }

  private static boolean small(ConvolutionShapes of, DType dtype) {
    Conv2dGeometry geometry = of.geometry();
    return dtype.half()
        && of.groups() == 1
        && geometry.dilationHeight() == 1
        && geometry.dilationWidth() == 1
        && Math.max(of.results(), of.sources()) <= MOST_CHANNELS
        && Math.max(kernelHeight(of), kernelWidth(of)) <= LARGEST_KERNEL;
  }

  private static boolean everyPlace(Conv2dGeometry geometry) {
    return geometry.strideHeight() == 1 && geometry.strideWidth() == 1;
  }

  private static long kernelHeight(ConvolutionShapes of) {
    return of.weight().dim(2);
  }

  private static long kernelWidth(ConvolutionShapes of) {
    return of.weight().dim(3);
  }

  private static int slices(int channels) {
    return Math.ceilDiv(channels, SLICE);
  }

  /** The halves of what rows of the result meet. */
  private static long frame(ConvolutionShapes of, int rows, int columns, int slices) {
    Conv2dGeometry geometry = of.geometry();
    long down = (long) (rows - 1) * geometry.strideHeight() + kernelHeight(of);
    long across = (long) (columns - 1) * geometry.strideWidth() + kernelWidth(of);
    return down * across * (SLICE * slices + APART);
  }

  /** With strips as high as memory and warps allow, or lower ones where there are few. */
  private static Optional<SmallConvolution> of(
      ConvolutionShapes of,
      int groups,
      int most,
      IntToLongFunction memory,
      int results,
      int sources) {
    int height = (of.transposed() ? of.image() : of.windows()).dim(2);
    int rows = Math.min(height, most);
    while (rows > 0 && memory.applyAsLong(rows) > MEMORY) {
      rows--;
    }
    if (rows < Math.min(height, LOWEST)) {
      return Optional.empty();
    }
    int strips = Math.ceilDiv(height, rows);
    long others = (long) of.image().dim(0) * groups;
    while (others * strips < BUSY && Math.ceilDiv(height, 2 * strips) >= LOWEST) {
      strips *= 2;
    }
    int even = Math.ceilDiv(height, strips);
    return Optional.of(new SmallConvolution(even, Math.ceilDiv(height, even), results, sources));
  }

  /** How many parts a weight's gradient has, in each of which as many strips are added up. */
  long parts(ConvolutionShapes of) {
    long all = (long) of.image().dim(0) * strips;
    long each = Math.ceilDiv(all, Math.max(1, BUSY / groups(of)));
    return Math.ceilDiv(all, each);
  }

  /** The blocks of a part of a weight's gradient. */
  long groups(ConvolutionShapes of) {
    return (long) Math.ceilDiv(slices(of.results()), results)
        * Math.ceilDiv(slices(of.sources()), sources);
  }
}
