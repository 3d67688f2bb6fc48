package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.Optional;

/**
 * The gradient by a weight of 3 x 3 in FP32, of images in half whose channels lie last, by an own
 * kernel: {@code weight_gradient_last.cu}. A block goes through strips of the windows, which are
 * some rows of an image or several whole images.
 *
 * @param of the convolution
 * @param rows of the windows in a strip
 * @param images of a strip: more than one only where rows are all of them
 * @param parts in which the sums are added up
 */
record WeightGradientLast(ConvolutionShapes of, int rows, int images, int parts) {
  private static final String FILE = "weight_gradient_last";
  private static final int KERNEL = 3;

  /** The channels of a block, of the image and of the windows. */
  private static final int TILE = 64;

  /** Halves from a place to the next in shared memory. */
  private static final int APART = TILE + 8;

  /** Places that tensor cores add up at once. */
  private static final int STEP = 16;

  /** The most rows and columns that a frame may have, and the most images: ten bits of a number. */
  private static final int MOST = 1023;

  /** As many blocks keep a large GPU busy; each has a multiprocessor for itself. */
  private static final int BUSY = 128;

  /** What the beginning of a strip costs, in places. */
  private static final int BEGINNING = 32;

  /** The most places of a strip: with more the next one is long in coming. */
  private static final int MOST_PLACES = 256;

  /** Shares of the parts, each added up by itself. */
  private static final int MOST_TURNS = 8;

  /** Neighbours whose parts a block adds up. */
  private static final int NEIGHBOURS = 32;

  /** How a gradient is computed so; none where it is not. */
  static Optional<Recipe> recipe(KernelLibrary kernels, DType dtype, ConvolutionShapes of) {
    return of(of, dtype, kernels.mostSharedBytes()).map(strips -> strips.recipe(kernels, dtype));
  }

  /**
   * Strips that fit into shared memory; none where the gradient is another one.
   *
   * @param most the bytes of shared memory that a block may have
   */
  static Optional<WeightGradientLast> of(ConvolutionShapes of, DType dtype, int most) {
    if (!computed(of, dtype)) {
      return Optional.empty();
    }
    int height = of.windows().dim(2);
    int samples = of.image().dim(0);
    WeightGradientLast best = null;
    for (int rows = 1; rows <= height; rows++) {
      int images = 1;
      do {
        WeightGradientLast strips = new WeightGradientLast(of, rows, images, 1);
        if (!strips.fits(most)) {
          break;
        }
        if (best == null || strips.cost() < best.cost()) {
          best = strips;
        }
        images++;
      } while (rows == height && images <= samples);
    }
    return Optional.ofNullable(best).map(WeightGradientLast::inParts);
  }

  private static boolean computed(ConvolutionShapes of, DType dtype) {
    Conv2dGeometry geometry = of.geometry();
    return dtype.half()
        && of.groups() == 1
        && geometry.dilationHeight() == 1
        && geometry.dilationWidth() == 1
        && geometry.strideHeight() == geometry.strideWidth()
        && of.weight().dim(2) == KERNEL
        && of.weight().dim(3) == KERNEL
        && channels(of.results())
        && channels(of.sources());
  }

  /** Whether so many can be brought by 16 bytes, and fill half of their tiles. */
  private static boolean channels(int count) {
    return count % KernelLaunch.RUN == 0 && count >= TILE;
  }

  private WeightGradientLast inParts() {
    long blocks = Math.max(1, BUSY / tiles());
    return new WeightGradientLast(of, rows, images, Math.toIntExact(Math.min(blocks, strips())));
  }

  private boolean fits(int most) {
    boolean counted = Math.max(frameRows(), frameColumns()) <= MOST && images <= MOST;
    return counted && places() <= MOST_PLACES && sharedBytes() <= most;
  }

  /** What an image takes, in places. */
  private double cost() {
    return down() * (double) (steps() * STEP + BEGINNING) / images;
  }

  private int columns() {
    return of.windows().dim(3);
  }

  private long frameRows() {
    return (rows - 1L) * of.geometry().strideHeight() + KERNEL;
  }

  private long frameColumns() {
    return (columns() - 1L) * of.geometry().strideWidth() + KERNEL;
  }

  private long places() {
    return (long) images * rows * columns();
  }

  private long steps() {
    return Math.ceilDiv(places(), STEP);
  }

  /** The strips of an image. */
  private int down() {
    return Math.ceilDiv(of.windows().dim(2), rows);
  }

  private long strips() {
    return (long) Math.ceilDiv(of.image().dim(0), images) * down();
  }

  private int tiles() {
    return Math.ceilDiv(of.results(), TILE) * Math.ceilDiv(of.sources(), TILE);
  }

  /** Of a number for each place and each pixel, and of two strips. */
  private long sharedBytes() {
    long pixels = images * frameRows() * frameColumns();
    long all = pixels + steps() * STEP;
    return Math.ceilDiv(all, 4) * 4 * Integer.BYTES + 2 * all * APART * DType.FP16.bytes();
  }

  private long plane() {
    return (long) of.results() * of.sources();
  }

  private Recipe recipe(KernelLibrary kernels, DType dtype) {
    GpuKernel kernel = kernels.kernel(FILE, FILE, dtype, Math.toIntExact(sharedBytes()));
    return Recipe.of(
        List.of((long) Float.BYTES * KERNEL * KERNEL * parts * plane()),
        place -> List.of(added(kernel, place), put(kernels, place)));
  }

  private Launch added(GpuKernel kernel, Recipe.Place place) {
    return new KernelLaunch(
        kernel,
        Size.of((long) tiles() * parts),
        Size.of(KernelLaunch.THREADS),
        List.of(place.in(0).argument(), place.in(1).argument(), place.workspace(0), argument()));
  }

  private Argument argument() {
    Conv2dGeometry geometry = of.geometry();
    return new Argument.Words(
        List.of(
            (long) of.image().dim(0),
            (long) of.image().dim(2),
            (long) of.image().dim(3),
            (long) of.sources(),
            (long) of.windows().dim(2),
            (long) columns(),
            (long) of.results(),
            (long) geometry.strideHeight(),
            (long) geometry.padding().top(),
            (long) geometry.padding().left(),
            (long) rows,
            (long) down(),
            (long) images,
            (long) parts));
  }

  private Launch put(KernelLibrary kernels, Recipe.Place place) {
    int turns = Integer.highestOneBit(Math.min(MOST_TURNS, parts));
    DeviceMemory sums = place.workspaces().getFirst();
    return KernelLaunch.each(
        kernels.kernel(FILE, "sum_of_tap_parts"),
        Math.ceilDiv(plane(), NEIGHBOURS) * KernelLaunch.THREADS,
        new Argument.Address(sums),
        place.out(0).argument(),
        new Argument.Int32(parts),
        new Argument.Int32(turns),
        new Argument.Int64(plane()));
  }
}
