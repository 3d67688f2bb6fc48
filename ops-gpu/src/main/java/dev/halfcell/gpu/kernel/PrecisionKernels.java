package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.op.precision.CellOutput;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.precision.LargestMagnitude;
import dev.halfcell.op.precision.Precision;
import dev.halfcell.op.precision.ScaleUpdate;
import dev.halfcell.op.precision.StochasticCast;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.op.precision.WithPartials;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/** Casts, {@code cast.cu}, and what a step asks of its gradients, {@code check.cu}. */
final class PrecisionKernels {
  private static final String CAST = "cast";
  private static final String CHECK = "check";

  /** The gradients that one launch looks at: their addresses and sizes go with it. */
  private static final int GRADIENTS = 64;

  private PrecisionKernels() {}

  static Recipe of(
      KernelLibrary kernels, Precision op, List<TensorSpec> in, TensorSpec out, CellPath at) {
    return switch (op) {
      case CellOutput _ -> cast(kernels, in.getFirst().dtype(), CastOverflow.INF);
      case Cast(DType to, CastOverflow overflow) -> cast(kernels, to, overflow);
      case StochasticCast cast -> stochastic(kernels, cast, in.getFirst().dtype(), at);
      case WithPartials partials -> PartialsKernels.of(kernels, partials, in, out, at);
      case Unscale _ -> {
        UpdateKernels.requireFp32(op.label(), in, at);
        yield unscale(kernels);
      }
      case GradientCheck _ -> {
        UpdateKernels.requireFp32(op.label(), in, at);
        yield check(kernels, in.subList(1, in.size()));
      }
      case LargestMagnitude _ -> {
        UpdateKernels.requireFp32(op.label(), in, at);
        yield largest(kernels, in);
      }
      case ScaleUpdate update -> ScaleKernels.of(kernels, update);
    };
  }

  private static Recipe cast(KernelLibrary kernels, DType to, CastOverflow overflow) {
    return Recipe.of(
        place -> List.of(cast(kernels, place.in(0), to, place.out(0).argument(), overflow)));
  }

  /** Copies values in half to FP32, which changes none of them. */
  static Launch widened(KernelLibrary kernels, DeviceTensor x, DeviceMemory to) {
    return cast(kernels, x, DType.FP32, new Argument.Address(to), CastOverflow.INF);
  }

  private static Launch cast(
      KernelLibrary kernels, DeviceTensor x, DType to, Argument y, CastOverflow overflow) {
    return KernelLaunch.runs(
        kernels.kernel(CAST, "cast_" + x.spec().dtype().label(), to),
        x.spec().size(),
        List.of(x.argument(), y, number(overflow), x.size()));
  }

  /** As kernels take it. */
  static Argument number(CastOverflow overflow) {
    return new Argument.Int32(
        switch (overflow) {
          case INF -> 0;
          case NAN -> 1;
          case SATURATE -> 2;
        });
  }

  /** y becomes x, of FP32. */
  static Launch copy(KernelLibrary kernels, DeviceTensor x, DeviceTensor y) {
    return cast(kernels, x, DType.FP32, y.argument(), CastOverflow.INF);
  }

  private static Recipe stochastic(
      KernelLibrary kernels, StochasticCast op, DType from, CellPath at) {
    if (!ElementwiseKernels.COMPUTED.contains(from)) {
      throw Kernels.refusal(op.label(), "one of " + from.label(), at);
    }
    if (!op.to().half()) {
      return cast(kernels, op.to(), op.overflow()); // exact: nothing is left to chance
    }
    return Recipe.of(
        place ->
            List.of(
                KernelLaunch.each(
                    kernels.kernel(CAST, "cast_by_chance_" + from.label(), op.to()),
                    place.out(0).spec().size(),
                    place.in(0).argument(),
                    place.out(0).argument(),
                    RandomKernels.draw(op.key(), place.in(0), place.in(1)),
                    number(op.overflow()),
                    place.out(0).size())));
  }

  private static Recipe unscale(KernelLibrary kernels) {
    return Recipe.of(
        place -> {
          List<Argument> arguments = new ArrayList<>(place.arguments());
          arguments.add(place.out(0).size());
          return List.of(
              KernelLaunch.each(
                  kernels.kernel(CHECK, "unscale"), place.out(0).spec().size(), arguments));
        });
  }

  private static Recipe check(KernelLibrary kernels, List<TensorSpec> gradients) {
    return Recipe.of(
        List.of(checkBytes(gradients)),
        place ->
            check(kernels, place, place.in().subList(1, place.in().size()), KernelLaunch.NONE));
  }

  /** The memory that the check of such gradients needs. */
  static long checkBytes(List<TensorSpec> gradients) {
    return Double.BYTES * Math.max(1, partials(gradients));
  }

  /**
   * Whether the loss, the first input, and all gradients are finite, and their norm.
   *
   * @param scale what gradients are divided by before; {@link KernelLaunch#NONE} where they are
   */
  static List<Launch> check(
      KernelLibrary kernels, Recipe.Place place, List<DeviceTensor> gradients, Argument scale) {
    List<Launch> launches =
        overAll(kernels, "squares", Double.BYTES, gradients, place, List.of(scale));
    launches.add(
        KernelLaunch.block(
            kernels.kernel(CHECK, "checked"),
            place.workspace(0),
            new Argument.Int64(partials(gradients.stream().map(DeviceTensor::spec).toList())),
            place.in(0).argument(),
            place.out(0).argument(),
            place.out(1).argument()));
    return launches;
  }

  private static Recipe largest(KernelLibrary kernels, List<TensorSpec> gradients) {
    long partials = partials(gradients);
    return Recipe.of(
        List.of(Float.BYTES * partials),
        place -> {
          List<Launch> launches =
              overAll(kernels, "magnitudes", Float.BYTES, place.in(), place, List.of());
          launches.add(
              KernelLaunch.block(
                  kernels.kernel(CHECK, "largest_magnitude"),
                  place.workspace(0),
                  new Argument.Int64(partials),
                  place.out(0).argument()));
          return launches;
        });
  }

  private static long partials(List<TensorSpec> gradients) {
    return (long) shares(gradients) * gradients.size();
  }

  /** How many blocks share each gradient: follows from the sizes alone, as sums have to. */
  private static int shares(List<TensorSpec> gradients) {
    long most = gradients.stream().mapToLong(TensorSpec::size).max().orElse(0);
    return Shares.of(most);
  }

  /**
   * The launches that fill the workspace with what blocks make of their shares, in order.
   *
   * @param more what kernels take between the gradients and the workspace
   */
  private static List<Launch> overAll(
      KernelLibrary kernels,
      String name,
      int bytes,
      List<DeviceTensor> gradients,
      Recipe.Place place,
      List<Argument> more) {
    int shares = shares(gradients.stream().map(DeviceTensor::spec).toList());
    List<Launch> launches = new ArrayList<>();
    for (int first = 0; first < gradients.size(); first += GRADIENTS) {
      int behind = Math.min(gradients.size(), first + GRADIENTS);
      long offset = (long) bytes * shares * first;
      long size = (long) bytes * shares * (behind - first);
      List<Argument> arguments = new ArrayList<>(List.of(table(gradients.subList(first, behind))));
      arguments.addAll(more);
      arguments.add(new Argument.Address(place.workspaces().getFirst().slice(offset, size)));
      launches.add(
          new KernelLaunch(
              kernels.kernel(CHECK, name),
              new Size(shares, behind - first, 1),
              Size.of(KernelLaunch.THREADS),
              arguments));
    }
    return launches;
  }

  private static Argument table(List<DeviceTensor> gradients) {
    List<Long> words = new ArrayList<>();
    gradients.forEach(each -> words.add(each.memory().address()));
    while (words.size() < GRADIENTS) {
      words.add(0L);
    }
    gradients.forEach(each -> words.add(each.spec().size()));
    while (words.size() < 2 * GRADIENTS) {
      words.add(0L);
    }
    return new Argument.Words(words);
  }
}
