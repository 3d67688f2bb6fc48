package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;

/** Small ops of one kind in few launches: {@code together.cu}. */
final class TogetherKernels {
  private static final String FILE = "together";

  /** The ops of one launch: what is known of each goes with it. */
  private static final int ROWS = 64;

  private static final int LEAST_BLOCKS = 64;
  private static final int MOST_BLOCKS = 4096;

  private TogetherKernels() {}

  static Recipe of(KernelLibrary kernels, List<Op> each, List<TensorSpec> in, CellPath at) {
    DType dtype = in.getFirst().dtype();
    boolean averages = each.stream().allMatch(RunningAverage.class::isInstance);
    if (averages && dtype == DType.FP32) {
      return averages(kernels, each.stream().map(RunningAverage.class::cast).toList());
    }
    if (each.getFirst() instanceof Cast cast && dtype == DType.FP32 && cast.to().half()) {
      return casts(kernels, cast);
    }
    throw Kernels.refusal(each.getFirst().label(), "several of them at once", at);
  }

  /** Running averages, each with a rate of its own. */
  static Recipe averages(KernelLibrary kernels, List<RunningAverage> each) {
    GpuKernel kernel = kernels.kernel(FILE, "running_averages");
    return Recipe.of(
        place ->
            launches(
                kernel,
                place,
                1,
                List.of(
                    i -> place.in(2 * i).memory().address(),
                    i -> place.in(2 * i + 1).memory().address(),
                    i -> place.out(i).memory().address(),
                    i -> Double.doubleToRawLongBits(each.get(i).momentum()),
                    i ->
                        Double.doubleToRawLongBits(
                            (1 - each.get(i).momentum()) * each.get(i).factor()),
                    i -> place.out(i).spec().size()),
                List.of()));
  }

  private static Recipe casts(KernelLibrary kernels, Cast cast) {
    GpuKernel kernel = kernels.kernel(FILE, "cast_all_fp32", cast.to());
    return Recipe.of(
        place ->
            launches(
                kernel,
                place,
                KernelLaunch.RUN,
                List.of(
                    i -> place.in(i).memory().address(),
                    i -> place.out(i).memory().address(),
                    i -> place.out(i).spec().size()),
                List.of(PrecisionKernels.number(cast.overflow()))));
  }

  /**
   * A row of blocks for each result, and as many rows in a launch as it has room for.
   *
   * @param run how many neighbours a thread takes at once
   * @param columns what a kernel is told of each result
   * @param shared what it is told once
   */
  private static List<Launch> launches(
      GpuKernel kernel,
      Recipe.Place place,
      int run,
      List<IntToLongFunction> columns,
      List<Argument> shared) {
    List<Launch> launches = new ArrayList<>();
    for (int first = 0; first < place.out().size(); first += ROWS) {
      int rows = Math.min(ROWS, place.out().size() - first);
      List<Argument> arguments = new ArrayList<>();
      arguments.add(table(columns, first, rows));
      arguments.addAll(shared);
      launches.add(
          new KernelLaunch(
              kernel,
              new Size(blocks(place.out().subList(first, first + rows), run), rows, 1),
              Size.of(KernelLaunch.THREADS),
              arguments));
    }
    return launches;
  }

  private static Argument table(List<IntToLongFunction> columns, int first, int rows) {
    List<Long> words = new ArrayList<>();
    for (IntToLongFunction column : columns) {
      for (int row = 0; row < ROWS; row++) {
        words.add(row < rows ? column.applyAsLong(first + row) : 0);
      }
    }
    return new Argument.Words(words);
  }

  /** Enough for the largest, but not for all of them to be that large. */
  private static int blocks(List<DeviceTensor> out, int run) {
    long most = out.stream().mapToLong(each -> each.spec().size()).max().orElse(0);
    long wanted = Math.ceilDiv(most, (long) KernelLaunch.THREADS * run);
    return Math.toIntExact(Math.clamp(wanted, 1, Math.max(LEAST_BLOCKS, MOST_BLOCKS / out.size())));
  }
}
