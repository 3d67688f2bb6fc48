package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.normalization.GroupwiseGradient;
import dev.halfcell.op.normalization.GroupwiseNormalization;
import dev.halfcell.op.normalization.Normalization;
import dev.halfcell.op.normalization.Normalize;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.plan.Work;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/** Normalisation of channels over a batch, and running statistics: {@code normalization.cu}. */
final class NormalizationKernels {
  private static final String FILE = "normalization";
  static final long MOMENTS = 16; // bytes of sums of a part
  static final long PAIR = 8;

  private final KernelLibrary kernels;
  private final DType dtype;
  private final ReducedAxes axes;
  private final Argument.Words channels;
  private final int count;
  private final int width; // how many neighbours of a channel a thread takes at once

  /** For an x of this spec. */
  private NormalizationKernels(KernelLibrary kernels, TensorSpec x) {
    this.kernels = kernels;
    this.dtype = x.dtype();
    this.count = x.dim(1);
    long positions = x.shape().tail().tail().size();
    this.axes = ReducedAxes.channels(x.dim(0), count, Math.toIntExact(positions));
    this.width = positions % KernelLaunch.RUN == 0 ? KernelLaunch.RUN : 1;
    this.channels =
        new Argument.Words(
            List.of((long) count, positions, x.size(), x.size() / count, (long) width));
  }

  static Recipe of(KernelLibrary kernels, Normalization op, List<TensorSpec> in, CellPath at) {
    TensorSpec x = in.getFirst();
    requireComputed(op, x, at);
    return switch (op) {
      case BatchNorm batch -> {
        NormalizationKernels of = new NormalizationKernels(kernels, x);
        yield of.batchNorm(batch, of::normalize);
      }
      case BatchNormGradient(double epsilon) ->
          new NormalizationKernels(kernels, x).gradient(epsilon, Slopes.WHOLE);
      case Normalize(double epsilon) -> new NormalizationKernels(kernels, x).normalize(epsilon);
      case RunningAverage average when x.dtype() == DType.FP32 ->
          TogetherKernels.averages(kernels, List.of(average));
      case RunningAverage _ -> throw Kernels.refusal(op.label(), "one in " + x.dtype().label(), at);
      case GroupwiseNormalization g -> GroupwiseKernels.of(kernels, g, in);
      case GroupwiseGradient g -> GroupwiseKernels.of(kernels, g, in);
    };
  }

  /** A normalisation with the ReLU, or the sum and the ReLU, behind it. */
  static Recipe of(
      KernelLibrary kernels, Work.BatchNormRelu work, List<TensorSpec> in, CellPath at) {
    requireComputed(work.of(), in.getFirst(), at);
    NormalizationKernels of = new NormalizationKernels(kernels, in.getFirst());
    return of.batchNorm(work.of(), work.adds() ? of::addRelu : of::relu);
  }

  /** The gradient of a normalisation whose result only a ReLU reads. */
  static Recipe of(
      KernelLibrary kernels, Work.BatchNormReluGradient work, List<TensorSpec> in, CellPath at) {
    ElementwiseKernels.computed(new ReluGradient(), in, at);
    return new NormalizationKernels(kernels, in.getFirst())
        .gradient(work.of().epsilon(), Slopes.MASKED);
  }

  private static void requireComputed(Normalization op, TensorSpec x, CellPath at) {
    if (!ElementwiseKernels.COMPUTED.contains(x.dtype())) {
      throw Kernels.refusal(op.label(), "one in " + x.dtype().label(), at);
    }
  }

  /**
   * The statistics of channels.
   *
   * @param low what the mean lost when it was rounded, or no memory
   */
  private record Statistics(Argument mean, Argument variance, Argument low) {}

  /** What fills y when the statistics are there. */
  @FunctionalInterface
  private interface LastPass {
    Launch over(Recipe.Place place, double epsilon, Statistics of);
  }

  /** Sums around the first element; if they are to be stable, once more around the mean. */
  private Recipe batchNorm(BatchNorm op, LastPass last) {
    return Recipe.of(
        List.of(MOMENTS * axes.made(), 8L * count, 4L * count),
        place -> {
          Argument x = place.in(0).argument();
          Argument parts = new Argument.Address(place.workspaces().get(0));
          Argument centre = new Argument.Address(place.workspaces().get(1));
          Argument low = new Argument.Address(place.workspaces().get(2));
          Argument mean = place.out(1).argument();
          Argument variance = place.out(2).argument();
          Argument each = new Argument.Float64((double) axes.count());
          List<Launch> launches = new ArrayList<>();
          for (int pass = 0; pass < (op.stable() ? 2 : 1); pass++) {
            launches.addAll(moments(x, centre, parts, pass == 0));
            launches.add(
                statistics(
                    kernels, axes.ofParts(), List.of(parts, centre, mean, low, variance, each)));
          }
          launches.add(last.over(place, op.epsilon(), new Statistics(mean, variance, low)));
          return launches;
        });
  }

  /** Sums of parts of channels around their first elements, which become centres, or centres. */
  private List<Launch> moments(Argument x, Argument centre, Argument parts, boolean first) {
    String name = "channel_moments_" + dtype.label();
    if (axes.by() == ReducedAxes.By.BLOCK) {
      Argument around = new Argument.Int32(first ? 1 : 0);
      return List.of(byBlock(name, List.of(x, centre, parts, around)));
    }
    List<Launch> launches = new ArrayList<>();
    if (first) {
      launches.add(
          KernelLaunch.each(
              kernels.kernel(FILE, "first_of_channels", dtype), count, x, centre, channels));
    }
    launches.add(axes.launch(kernels, FILE, name, List.of(x, centre, parts)));
    return launches;
  }

  /** A block for each part of each channel. */
  private Launch byBlock(String name, List<Argument> own) {
    List<Argument> arguments = new ArrayList<>(own);
    arguments.add(channels);
    arguments.add(new Argument.Words(List.of(axes.results(), axes.count(), axes.parts())));
    return new KernelLaunch(
        kernels.kernel(FILE, name + "_" + axes.by().suffix()),
        Size.of(axes.made()),
        ReducedAxes.threadsFor(axes.count() / axes.parts() / width),
        arguments);
  }

  private Recipe normalize(double epsilon) {
    return Recipe.of(
        place -> {
          Argument mean = place.in(3).argument();
          Argument variance = place.in(4).argument();
          Statistics given = new Statistics(mean, variance, KernelLaunch.NONE);
          return List.of(normalize(place, epsilon, given));
        });
  }

  private Launch normalize(Recipe.Place place, double epsilon, Statistics of) {
    return lastPass("normalize", place, epsilon, of, List.of());
  }

  private Launch relu(Recipe.Place place, double epsilon, Statistics of) {
    return lastPass("normalize_relu", place, epsilon, of, List.of(KernelLaunch.NONE));
  }

  private Launch addRelu(Recipe.Place place, double epsilon, Statistics of) {
    return lastPass("normalize_relu", place, epsilon, of, List.of(place.in(3).argument()));
  }

  /**
   * Gives y to a kernel.
   *
   * @param added what it reads beside x, gamma, beta and the statistics
   */
  private Launch lastPass(
      String kernel, Recipe.Place place, double epsilon, Statistics of, List<Argument> added) {
    List<Argument> arguments = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      arguments.add(place.in(i).argument());
    }
    arguments.addAll(List.of(of.mean(), of.variance(), of.low()));
    arguments.addAll(added);
    arguments.add(place.out(0).argument());
    arguments.add(new Argument.Float32((float) epsilon));
    arguments.add(channels);
    return KernelLaunch.each(
        kernels.kernel(FILE, kernel, dtype), place.out(0).spec().size() / width, arguments);
  }

  /**
   * Where the gradient of a normalisation's result comes from.
   *
   * @param prefix of the names of kernels that read it
   * @param inputs that they read in the place of d
   */
  private record Slopes(String prefix, List<Integer> inputs) {
    /** It is d. */
    static final Slopes WHOLE = new Slopes("", List.of(0));

    /** It is d where y, which comes last, is above 0. */
    static final Slopes MASKED = new Slopes("masked_", List.of(0, 5));

    Slopes {
      inputs = List.copyOf(inputs);
    }

    String kernel(String name) {
      return prefix + name;
    }

    List<Argument> of(Recipe.Place place) {
      return inputs.stream().<Argument>map(i -> place.in(i).argument()).toList();
    }
  }

  private Recipe gradient(double epsilon, Slopes slopes) {
    return Recipe.of(
        List.of(PAIR * axes.made()),
        place -> {
          Argument parts = place.workspace(0);
          Argument dgamma = place.out(1).argument();
          Argument dbeta = place.out(2).argument();
          return List.of(
              sums(place, epsilon, slopes, parts),
              parameterGradients(kernels, axes.ofParts(), parts, dgamma, dbeta),
              dx(place, epsilon, slopes));
        });
  }

  private Launch sums(Recipe.Place place, double epsilon, Slopes slopes, Argument parts) {
    List<Argument> arguments = new ArrayList<>(slopes.of(place));
    arguments.add(place.in(1).argument());
    arguments.add(place.in(3).argument());
    arguments.add(place.in(4).argument());
    arguments.add(new Argument.Float32((float) epsilon));
    arguments.add(parts);
    String name = slopes.kernel("channel_sums_") + dtype.label();
    return axes.by() == ReducedAxes.By.BLOCK
        ? byBlock(name, arguments)
        : axes.launch(kernels, FILE, name, arguments);
  }

  private Launch dx(Recipe.Place place, double epsilon, Slopes slopes) {
    List<Argument> arguments = new ArrayList<>(slopes.of(place));
    for (int i = 1; i < 5; i++) {
      arguments.add(place.in(i).argument());
    }
    arguments.add(place.out(1).argument());
    arguments.add(place.out(2).argument());
    arguments.add(place.out(0).argument());
    arguments.add(new Argument.Float32((float) epsilon));
    arguments.add(channels);
    return KernelLaunch.each(
        kernels.kernel(FILE, slopes.kernel("batch_norm_gradient"), dtype),
        place.out(0).spec().size() / width,
        arguments);
  }

  /** Makes statistics of the sums of parts. */
  static Launch statistics(KernelLibrary kernels, ReducedAxes ofParts, List<Argument> own) {
    return ofParts.launch(kernels, FILE, "channel_statistics", own);
  }

  /** Adds up parts that were summed; dbeta may be none. */
  static Launch parameterGradients(
      KernelLibrary kernels, ReducedAxes ofParts, Argument parts, Argument dgamma, Argument dbeta) {
    return ofParts.launch(kernels, FILE, "parameter_gradients", List.of(parts, dgamma, dbeta));
  }
}
