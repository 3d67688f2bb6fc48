package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.normalization.GroupwiseGradient;
import dev.halfcell.op.normalization.GroupwiseNormalization;
import dev.halfcell.op.normalization.Normalization;
import dev.halfcell.op.normalization.Normalize;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/** Normalisation of channels over a batch, and running statistics: {@code normalization.cu}. */
final class NormalizationKernels {
  private static final String FILE = "normalization";
  private static final long MOMENTS = 16; // bytes of sums of a part
  private static final long PAIR = 8;

  private final KernelLibrary kernels;
  private final DType dtype;
  private final ReducedAxes axes;
  private final Argument.Words channels;
  private final int count;

  /** For an x of this spec. */
  private NormalizationKernels(KernelLibrary kernels, TensorSpec x) {
    this.kernels = kernels;
    this.dtype = x.dtype();
    this.count = x.dim(1);
    long positions = x.shape().tail().tail().size();
    this.axes = ReducedAxes.channels(x.dim(0), count, Math.toIntExact(positions));
    this.channels =
        new Argument.Words(List.of((long) count, positions, x.size(), x.size() / count));
  }

  static Recipe of(KernelLibrary kernels, Normalization op, List<TensorSpec> in, CellPath at) {
    TensorSpec x = in.getFirst();
    if (!ElementwiseKernels.COMPUTED.contains(x.dtype())) {
      throw Kernels.refusal(op.label(), "one in " + x.dtype().label(), at);
    }
    return switch (op) {
      case BatchNorm batch -> new NormalizationKernels(kernels, x).batchNorm(batch);
      case BatchNormGradient(double epsilon) ->
          new NormalizationKernels(kernels, x).gradient(epsilon);
      case Normalize(double epsilon) -> new NormalizationKernels(kernels, x).normalize(epsilon);
      case RunningAverage average when x.dtype() == DType.FP32 -> running(kernels, average);
      case RunningAverage _ -> throw Kernels.refusal(op.label(), "one in " + x.dtype().label(), at);
      case GroupwiseNormalization g -> GroupwiseKernels.of(kernels, g, in);
      case GroupwiseGradient g -> GroupwiseKernels.of(kernels, g, in);
    };
  }

  /** Sums around the first element; if they are to be stable, once more around the mean. */
  private Recipe batchNorm(BatchNorm op) {
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
          launches.add(
              KernelLaunch.each(
                  kernels.kernel(FILE, "first_of_channels", dtype), count, x, centre, channels));
          Launch moments = reduce("channel_moments_" + dtype.label(), axes, x, centre, parts);
          Launch statistics =
              reduce(
                  "channel_statistics", axes.ofParts(), parts, centre, mean, low, variance, each);
          for (int pass = 0; pass < (op.stable() ? 2 : 1); pass++) {
            launches.add(moments);
            launches.add(statistics);
          }
          launches.add(normalize(place, op.epsilon(), mean, variance, low));
          return launches;
        });
  }

  private Recipe normalize(double epsilon) {
    return Recipe.of(
        place -> {
          Argument mean = place.in(3).argument();
          return List.of(
              normalize(place, epsilon, mean, place.in(4).argument(), KernelLaunch.NONE));
        });
  }

  private Launch normalize(
      Recipe.Place place, double epsilon, Argument mean, Argument variance, Argument low) {
    return KernelLaunch.each(
        kernels.kernel(FILE, "normalize", dtype),
        place.out(0).spec().size(),
        place.in(0).argument(),
        place.in(1).argument(),
        place.in(2).argument(),
        mean,
        variance,
        low,
        place.out(0).argument(),
        new Argument.Float32((float) epsilon),
        channels);
  }

  private Recipe gradient(double epsilon) {
    return Recipe.of(
        List.of(PAIR * axes.made()),
        place -> {
          Argument parts = new Argument.Address(place.workspaces().getFirst());
          Argument d = place.in(0).argument();
          Argument x = place.in(1).argument();
          Argument mean = place.in(3).argument();
          Argument variance = place.in(4).argument();
          Argument dgamma = place.out(1).argument();
          Argument dbeta = place.out(2).argument();
          Argument added = new Argument.Float32((float) epsilon);
          return List.of(
              reduce("channel_sums_" + dtype.label(), axes, d, x, mean, variance, added, parts),
              parameterGradients(kernels, axes, parts, dgamma, dbeta),
              KernelLaunch.each(
                  kernels.kernel(FILE, "batch_norm_gradient", dtype),
                  place.out(0).spec().size(),
                  d,
                  x,
                  place.in(2).argument(),
                  mean,
                  variance,
                  dgamma,
                  dbeta,
                  place.out(0).argument(),
                  added,
                  channels));
        });
  }

  /** Adds up the parts that were summed along {@code axes}; dbeta may be none. */
  static Launch parameterGradients(
      KernelLibrary kernels, ReducedAxes axes, Argument parts, Argument dgamma, Argument dbeta) {
    return axes.ofParts()
        .launch(kernels, FILE, "parameter_gradients", List.of(parts, dgamma, dbeta));
  }

  private Launch reduce(String name, ReducedAxes over, Argument... own) {
    return over.launch(kernels, FILE, name, List.of(own));
  }

  private static Recipe running(KernelLibrary kernels, RunningAverage op) {
    return Recipe.of(
        place ->
            List.of(
                KernelLaunch.each(
                    kernels.kernel(FILE, "running_average"),
                    place.out(0).spec().size(),
                    place.in(0).argument(),
                    place.in(1).argument(),
                    place.out(0).argument(),
                    new Argument.Float64(op.momentum()),
                    new Argument.Float64((1 - op.momentum()) * op.factor()),
                    place.out(0).size())));
  }
}
