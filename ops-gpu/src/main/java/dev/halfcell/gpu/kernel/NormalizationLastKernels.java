package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Normalisation over a batch of images in half whose channels lie next to each other: {@code
 * normalization_last.cu}. The sums of parts are put together by kernels of {@code
 * normalization.cu}.
 */
final class NormalizationLastKernels {
  private static final String FILE = "normalization_last";

  /** The channels of a block that adds up, and the rows that it takes at once. */
  private static final int GROUP = 64;

  private static final int DOWN = 32;

  /** As many blocks keep a large GPU busy; a part has rows enough to be worth one. */
  private static final int BUSY = 1024;

  private static final int LEAST_ROWS = 4 * DOWN;

  /** The rows of a thread of an elementwise pass, unless that leaves too few threads. */
  private static final int ROWS_OF_A_THREAD = 8;

  private static final int LEAST_THREADS = 1 << 14;

  private final KernelLibrary kernels;
  private final DType dtype;
  private final long rows;
  private final int channels;
  private final int parts;
  private final ReducedAxes axes;

  /** For an x of this spec. */
  private NormalizationLastKernels(KernelLibrary kernels, TensorSpec x) {
    this.kernels = kernels;
    this.dtype = x.dtype();
    this.channels = x.dim(1);
    this.rows = x.size() / channels;
    long most = Math.ceilDiv(BUSY, groups());
    this.parts = Math.toIntExact(Math.clamp(rows / LEAST_ROWS, 1, most));
    this.axes = ReducedAxes.ofParts(channels, parts);
  }

  /** Whether images of this spec can lie so. */
  static boolean fit(TensorSpec x) {
    return x.dtype().half() && x.dim(1) % KernelLaunch.RUN == 0;
  }

  /** A normalisation, with the ReLU, or the sum and the ReLU, behind it where it has them. */
  static Recipe of(KernelLibrary kernels, BatchNorm op, NormalizationEnd end, TensorSpec x) {
    return new NormalizationLastKernels(kernels, x).batchNorm(op, end);
  }

  /** A normalisation by statistics that are given. */
  static Recipe given(KernelLibrary kernels, double epsilon, TensorSpec x) {
    NormalizationLastKernels each = new NormalizationLastKernels(kernels, x);
    return Recipe.of(
        place ->
            List.of(
                each.lastPass(
                    place,
                    epsilon,
                    NormalizationEnd.NONE,
                    List.of(place.in(3).argument(), place.in(4).argument(), KernelLaunch.NONE))));
  }

  /** Its gradient, of d, or of d where a ReLU let y through. */
  static Recipe gradient(KernelLibrary kernels, double epsilon, boolean masked, TensorSpec x) {
    return new NormalizationLastKernels(kernels, x).gradient(epsilon, masked);
  }

  private int groups() {
    return Math.ceilDiv(channels, GROUP);
  }

  private GpuKernel kernel(String name) {
    return kernels.kernel(FILE, name + "_last", dtype);
  }

  private Recipe batchNorm(BatchNorm op, NormalizationEnd end) {
    return Recipe.of(
        List.of(NormalizationKernels.MOMENTS * channels * parts, 8L * channels, 4L * channels),
        place -> {
          Argument x = place.in(0).argument();
          Argument sums = place.workspace(0);
          Argument centre = place.workspace(1);
          Argument low = place.workspace(2);
          Argument mean = place.out(1).argument();
          Argument variance = place.out(2).argument();
          Argument each = new Argument.Float64((double) rows);
          List<Launch> launches = new ArrayList<>();
          for (int pass = 0; pass < (op.stable() ? 2 : 1); pass++) {
            Argument first = new Argument.Int32(pass == 0 ? 1 : 0);
            launches.add(reduction("channel_moments", List.of(x, centre, sums, first)));
            launches.add(
                NormalizationKernels.statistics(
                    kernels, axes, List.of(sums, centre, mean, low, variance, each)));
          }
          launches.add(lastPass(place, op.epsilon(), end, List.of(mean, variance, low)));
          return launches;
        });
  }

  /** A block for each group of channels and each part of the rows. */
  private Launch reduction(String name, List<Argument> own) {
    List<Argument> arguments = new ArrayList<>(own);
    arguments.add(rows(0));
    arguments.add(new Argument.Int32(parts));
    return new KernelLaunch(
        kernel(name), new Size(parts, groups(), 1), Size.of(KernelLaunch.THREADS), arguments);
  }

  private Argument rows(long atOnce) {
    return new Argument.Words(List.of(rows, (long) channels, atOnce));
  }

  private Launch lastPass(
      Recipe.Place place, double epsilon, NormalizationEnd end, List<Argument> statistics) {
    List<Argument> arguments = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      arguments.add(place.in(i).argument());
    }
    arguments.addAll(statistics);
    if (end != NormalizationEnd.NONE) {
      boolean adds = end == NormalizationEnd.ADD_RELU;
      arguments.add(adds ? place.in(3).argument() : KernelLaunch.NONE);
    }
    arguments.add(place.out(0).argument());
    arguments.add(new Argument.Float32((float) epsilon));
    return elementwise(end == NormalizationEnd.NONE ? "normalize" : "normalize_relu", arguments);
  }

  /** A thread for a run of channels, which goes down the rows. */
  private Launch elementwise(String name, List<Argument> own) {
    long across = channels / KernelLaunch.RUN;
    long least = LEAST_THREADS / across;
    long atOnce = Math.clamp(Math.max(Math.ceilDiv(rows, ROWS_OF_A_THREAD), least), 1, rows);
    List<Argument> arguments = new ArrayList<>(own);
    arguments.add(rows(atOnce));
    return KernelLaunch.each(kernel(name), atOnce * across, arguments);
  }

  private Recipe gradient(double epsilon, boolean masked) {
    List<Integer> slopes = masked ? List.of(0, 5) : List.of(0);
    String prefix = masked ? "masked_" : "";
    return Recipe.of(
        List.of(NormalizationKernels.PAIR * channels * parts),
        place -> {
          Argument sums = place.workspace(0);
          Argument dgamma = place.out(1).argument();
          Argument dbeta = place.out(2).argument();
          Argument small = new Argument.Float32((float) epsilon);
          List<Argument> adding = new ArrayList<>();
          slopes.forEach(i -> adding.add(place.in(i).argument()));
          List<Argument> moving = new ArrayList<>(adding);
          for (int i : new int[] {1, 3, 4}) {
            adding.add(place.in(i).argument());
          }
          adding.addAll(List.of(small, sums));
          for (int i = 1; i < 5; i++) {
            moving.add(place.in(i).argument());
          }
          moving.addAll(List.of(dgamma, dbeta, place.out(0).argument(), small));
          return List.of(
              reduction(prefix + "channel_sums", adding),
              NormalizationKernels.parameterGradients(kernels, axes, sums, dgamma, dbeta),
              elementwise(prefix + "batch_norm_gradient", moving));
        });
  }
}
