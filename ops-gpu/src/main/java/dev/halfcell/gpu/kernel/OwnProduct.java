package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.gpu.library.Multiplication;
import dev.halfcell.gpu.library.Multiplication.Operand;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A product of matrices by own kernels: of halves on tensor cores ({@code half_product.cu}), of
 * FP32 in FP32 ({@code float_product.cu}).
 *
 * @param of what is multiplied
 * @param matrixA where the matrix of a stands that belongs to each of y, counted in matrices
 * @param matrixB the same of b
 */
record OwnProduct(Multiplication of, Argument matrixA, Argument matrixB) {
  private static final int LARGE = 128;
  private static final int SMALL = 64;
  private static final int FLOAT_THREADS = 256;

  /** A warp computes 64 x 32 elements of a large tile, 32 x 32 of a small one. */
  private static final int LARGE_THREADS = 256;

  private static final int SMALL_THREADS = 128;
  private static final int VECTOR_BYTES = 16;

  /** The kernels walk along the inner axis in steps of which this is a multiple. */
  private static final int STEP = 32;

  /** The most that a grid has along its second and third axis. */
  private static final int MOST_BLOCKS = 65535;

  /** What a product reads and fills; bias may be {@link KernelLaunch#NONE}. */
  record Place(DeviceMemory a, DeviceMemory b, Argument.Address bias, DeviceMemory y) {}

  /** One in which operands are repeated for all matrices of y, or have one for each. */
  static OwnProduct of(Multiplication of) {
    return new OwnProduct(
        of, numbers(of.matrices(), of.a().repeated()), numbers(of.matrices(), of.b().repeated()));
  }

  /** The same with another ending. */
  OwnProduct ending(boolean biased, boolean relu) {
    return new OwnProduct(of.ending(biased, relu), matrixA, matrixB);
  }

  private static Argument numbers(int matrices, boolean repeated) {
    View view = new View(0, List.of(new View.Axis(matrices, repeated ? 0 : 1)));
    return view.argument().orElseThrow();
  }

  /**
   * One whose operands are broadcast; nothing where they have too many axes.
   *
   * @param a the leading axes of a
   * @param b those of b
   * @param y those of y
   */
  static Optional<OwnProduct> broadcast(Multiplication of, Shape a, Shape b, Shape y) {
    Optional<Argument> first = View.repeated(a, y).argument();
    Optional<Argument> second = View.repeated(b, y).argument();
    return first.flatMap(left -> second.map(right -> new OwnProduct(of, left, right)));
  }

  /** Whether the grid of a device has room for it. */
  boolean fits() {
    return of.matrices() * sums().parts() <= MOST_BLOCKS
        && Math.ceilDiv(of.size().n(), SMALL) <= MOST_BLOCKS;
  }

  /** How the inner axis is added up: in parts where else few blocks had much to do. */
  private PartialSums sums() {
    long blocks = tiles(SMALL) * of.matrices();
    return PartialSums.of(of.size().k(), blocks).inSteps(STEP);
  }

  private long tiles(int tile) {
    return (long) Math.ceilDiv(of.size().m(), tile) * Math.ceilDiv(of.size().n(), tile);
  }

  /** With an output that is {@code of.out()}, in as many parts as are best. */
  Recipe recipe(KernelLibrary kernels, Optional<Integer> bias) {
    PartialSums sums = sums();
    boolean whole = sums.parts() == 1;
    long results = (long) of.size().m() * of.size().n() * of.matrices();
    return Recipe.of(
        whole ? List.of() : List.of(sums.bytes(results)),
        place -> {
          Argument.Address added =
              bias.map(input -> place.in(input).argument()).orElse(KernelLaunch.NONE);
          DeviceMemory a = place.in(0).memory();
          DeviceMemory b = place.in(1).memory();
          if (whole) {
            return List.of(whole(kernels, new Place(a, b, added, place.out(0).memory())));
          }
          DeviceMemory parts = place.workspaces().getFirst();
          return List.of(
              launch(kernels, new Place(a, b, KernelLaunch.NONE, parts), true, sums),
              sums.put(kernels, parts, added, place.out(0), of.ending().relu()));
        });
  }

  /** By one launch. */
  Launch whole(KernelLibrary kernels, Place place) {
    return launch(kernels, place, of.out() != of.in(), PartialSums.whole(of.size().k()));
  }

  private Launch launch(KernelLibrary kernels, Place place, boolean widens, PartialSums sums) {
    int tile = tile(kernels);
    boolean half = of.in().half();
    int m = of.size().m();
    int n = of.size().n();
    int k = of.size().k();
    List<Argument> arguments =
        new ArrayList<>(
            List.of(
                new Argument.Address(place.a()),
                new Argument.Address(place.b()),
                place.bias(),
                new Argument.Address(place.y())));
    if (half) {
      arguments.add(new Argument.Int32(widens ? 1 : 0));
    }
    arguments.add(
        new Argument.Words(
            List.of(
                (long) m,
                (long) n,
                (long) k,
                (long) of.matrices(),
                sums.chunk(),
                sums.parts() == 1 && of.ending().relu() ? 1L : 0L,
                aligned(of.in(), place.a(), of.a().transposed() ? m : k),
                aligned(of.in(), place.b(), of.b().transposed() ? k : n))));
    arguments.add(matrixA);
    arguments.add(matrixB);
    String file = half ? "half_product" : "float_product";
    String name = file + "_" + order(of.a()) + order(of.b()) + "_" + tile;
    int threads = !half ? FLOAT_THREADS : tile == LARGE ? LARGE_THREADS : SMALL_THREADS;
    return new KernelLaunch(
        half ? kernels.kernel(file, name, of.in()) : kernels.kernel(file, name),
        new Size(
            Math.ceilDiv(m, tile),
            Math.ceilDiv(n, tile),
            Math.toIntExact(of.matrices() * sums.parts())),
        Size.of(threads),
        arguments);
  }

  /** Large tiles read less, and are of use where there are enough of them. */
  private int tile(KernelLibrary kernels) {
    boolean wide = Math.min(of.size().m(), of.size().n()) > SMALL;
    return wide && tiles(LARGE) * of.matrices() >= kernels.multiprocessors() ? LARGE : SMALL;
  }

  private static String order(Operand operand) {
    return operand.transposed() ? "t" : "n";
  }

  /** 1 where all lines of an operand start where 16 bytes can be read at once. */
  private static long aligned(DType dtype, DeviceMemory memory, int length) {
    boolean lines = (long) length * dtype.bytes() % VECTOR_BYTES == 0;
    return lines && memory.address() % VECTOR_BYTES == 0 ? 1 : 0;
  }
}
