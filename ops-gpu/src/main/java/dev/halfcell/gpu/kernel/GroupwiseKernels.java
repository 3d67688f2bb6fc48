package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.normalization.Groups;
import dev.halfcell.op.normalization.GroupwiseGradient;
import dev.halfcell.op.normalization.GroupwiseNormalization;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** Normalisation within each sample: {@code groupwise.cu}. */
final class GroupwiseKernels {
  private static final String FILE = "groupwise";
  private static final long PAIR = 8; // bytes of sums of a part

  private GroupwiseKernels() {}

  static Recipe of(KernelLibrary kernels, GroupwiseNormalization op, List<TensorSpec> in) {
    Groups groups = op.groups(in);
    boolean centered = op.centered();
    return Recipe.of(
        place ->
            List.of(
                perGroup(
                    kernels,
                    "group_norm",
                    place,
                    groups,
                    place.in(0).argument(),
                    place.in(1).argument(),
                    centered ? place.in(2).argument() : KernelLaunch.NONE,
                    place.out(0).argument(),
                    centered ? place.out(1).argument() : KernelLaunch.NONE,
                    place.out().getLast().argument(),
                    new Argument.Float32((float) op.epsilon()),
                    words(groups))));
  }

  static Recipe of(KernelLibrary kernels, GroupwiseGradient op, List<TensorSpec> in) {
    Groups groups = op.groups(in);
    ReducedAxes axes =
        ReducedAxes.channels(groups.count() / groups.cycle(), groups.allParameters(), groups.run());
    boolean centered = op.centered();
    return Recipe.of(
        List.of(PAIR * axes.made()),
        place -> {
          Argument parts = new Argument.Address(place.workspaces().getFirst());
          Argument d = place.in(0).argument();
          Argument x = place.in(1).argument();
          Argument mean = centered ? place.in(3).argument() : KernelLaunch.NONE;
          Argument rstd = place.in().getLast().argument();
          Argument dbeta = centered ? place.out(2).argument() : KernelLaunch.NONE;
          Argument length = new Argument.Int64(groups.length());
          String sums = "group_sums_" + place.in(0).spec().dtype().label();
          return List.of(
              perGroup(
                  kernels,
                  "group_norm_gradient",
                  place,
                  groups,
                  d,
                  x,
                  place.in(2).argument(),
                  mean,
                  rstd,
                  place.out(0).argument(),
                  words(groups)),
              axes.launch(kernels, FILE, sums, List.of(d, x, mean, rstd, length, parts)),
              NormalizationKernels.parameterGradients(
                  kernels, axes.ofParts(), parts, place.out(1).argument(), dbeta));
        });
  }

  private static Launch perGroup(
      KernelLibrary kernels,
      String name,
      Recipe.Place place,
      Groups groups,
      Argument... arguments) {
    return new KernelLaunch(
        kernels.kernel(FILE, name, place.in(0).spec().dtype()),
        Size.of(groups.count()),
        ReducedAxes.threadsFor(groups.length()),
        List.of(arguments));
  }

  private static Argument words(Groups groups) {
    return new Argument.Words(
        List.of((long) groups.length(), (long) groups.run(), (long) groups.cycle()));
  }
}
