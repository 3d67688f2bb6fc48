package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the elements along some axes of a tensor are reduced: {@code reduce.cuh}. A block or a thread
 * reduces each result, or a part of it; what it makes of part p of result r then lies at r · parts
 * + p.
 *
 * @param kept where the first element of each result lies
 * @param reduced where the others of it lie from there
 * @param results how many there are
 * @param count of the elements of a result
 * @param parts in how many parts they are reduced
 * @param by what reduces a part
 */
record ReducedAxes(Argument kept, Argument reduced, long results, long count, long parts, By by) {
  private static final int WARP = 32;
  private static final int SHORT = 16; // not worth a warp
  private static final int NEIGHBOURS = 8; // results side by side that are worth reading together
  private static final int MOST_THREADS = 1 << 16;
  private static final int MOST_BLOCKS = 1 << 9;
  private static final int PART_OF_THREAD = 64;
  private static final int PART_OF_BLOCK = 4096;

  /** What reduces a part. */
  enum By {
    BLOCK("by_block"),
    THREAD("by_thread");

    private final String suffix;

    By(String suffix) {
      this.suffix = suffix;
    }

    /** What the names of its kernels have at their end. */
    String suffix() {
      return suffix;
    }
  }

  /** All axes of a tensor, those of {@code axes} reduced; nothing if they are too many. */
  static Optional<ReducedAxes> of(Shape x, List<Integer> axes) {
    List<View.Axis> dense = View.dense(x).axes();
    List<View.Axis> kept = new ArrayList<>();
    List<View.Axis> reduced = new ArrayList<>();
    for (int axis = 0; axis < x.rank(); axis++) {
      (axes.contains(axis) ? reduced : kept).add(dense.get(axis));
    }
    return of(new View(0, kept), new View(0, reduced));
  }

  /** The middle one of three axes kept. */
  static ReducedAxes channels(int batch, int channels, int positions) {
    return of(Shape.of(batch, channels, positions), List.of(0, 2)).orElseThrow();
  }

  private static Optional<ReducedAxes> of(View kept, View reduced) {
    long results = size(kept);
    long count = size(reduced);
    By by = count <= SHORT || neighbours(kept) >= NEIGHBOURS ? By.THREAD : By.BLOCK;
    long parts =
        switch (by) {
          case THREAD -> parts(count, PART_OF_THREAD, results, MOST_THREADS);
          case BLOCK -> parts(count, PART_OF_BLOCK, results, MOST_BLOCKS);
        };
    return kept.argument()
        .flatMap(
            place ->
                reduced
                    .argument()
                    .map(others -> new ReducedAxes(place, others, results, count, parts, by)));
  }

  private static long size(View view) {
    return view.axes().stream().mapToLong(View.Axis::size).reduce(1, Math::multiplyExact);
  }

  /** How many results lie side by side. */
  private static long neighbours(View kept) {
    return kept.axes().stream()
        .filter(axis -> axis.stride() == 1)
        .mapToLong(View.Axis::size)
        .max()
        .orElse(1);
  }

  /** As many as there is work for, of at least {@code size} elements; 1 where it is too little. */
  private static long parts(long count, int size, long results, int most) {
    return Math.max(1, Math.min(count / size, most / results));
  }

  /** Reduces the states of the parts, which lie one behind the other, to those of the results. */
  ReducedAxes ofParts() {
    return ofParts(results, parts);
  }

  /** The same of so many results, each in so many parts. */
  static ReducedAxes ofParts(long results, long parts) {
    View states = new View(0, List.of(new View.Axis(results, parts)));
    View others = new View(0, List.of(new View.Axis(parts, 1)));
    return new ReducedAxes(
        states.argument().orElseThrow(),
        others.argument().orElseThrow(),
        results,
        parts,
        1,
        parts <= SHORT ? By.THREAD : By.BLOCK);
  }

  /** How many states or results it makes. */
  long made() {
    return results * parts;
  }

  /** A run of the kernel for what reduces a part; it takes {@code own} before the axes. */
  Launch launch(KernelLibrary kernels, String file, String name, List<Argument> own) {
    GpuKernel kernel = kernels.kernel(file, name + "_" + by.suffix());
    List<Argument> arguments = new ArrayList<>(own);
    arguments.add(kept);
    arguments.add(reduced);
    arguments.add(new Argument.Words(List.of(results, count, parts)));
    return switch (by) {
      case THREAD -> KernelLaunch.each(kernel, made(), arguments.toArray(Argument[]::new));
      case BLOCK -> new KernelLaunch(kernel, Size.of(made()), threadsFor(count / parts), arguments);
    };
  }

  /** The threads of a block for a line of this many elements: a few elements for each of them. */
  static Size threadsFor(long length) {
    return Size.of(length <= 8 * WARP ? WARP : length <= 1024 ? 4 * WARP : 8 * WARP);
  }

  /** Whether a line of this many elements is so short that a thread does it alone. */
  static boolean isShort(long length) {
    return length <= SHORT;
  }
}
