package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.op.loss.ElementLoss;
import dev.halfcell.op.loss.ElementLossGradient;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import dev.halfcell.op.loss.Targets;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/** Losses; softmax cross entropy and its gradient are computed here: {@code loss.cu}. */
final class LossKernels {
  private static final String FILE = "loss";
  private static final int THREADS = 128;

  private LossKernels() {}

  static Recipe of(KernelLibrary kernels, Loss op, List<TensorSpec> in, CellPath at) {
    return switch (op) {
      case SoftmaxCrossEntropy loss -> {
        requireComputed(loss, in, at);
        yield loss(kernels, loss, in);
      }
      case SoftmaxCrossEntropyGradient gradient -> {
        requireComputed(gradient, in, at);
        if (in.get(2).dtype() != DType.FP32) {
          throw Kernels.refusal(op.label(), "a gradient in " + in.get(2).dtype().label(), at);
        }
        yield gradient(kernels, gradient.of());
      }
      case ElementLoss loss -> ElementLossKernels.loss(kernels, loss, in, at);
      case ElementLossGradient gradient -> ElementLossKernels.gradient(kernels, gradient, in, at);
      case CtcLoss loss -> CtcKernels.of(kernels, loss, in, at);
    };
  }

  private static void requireComputed(Loss op, List<TensorSpec> in, CellPath at) {
    DType dtype = in.getFirst().dtype();
    if (!ElementwiseKernels.COMPUTED.contains(dtype)) {
      throw Kernels.refusal(op.label(), "one in " + dtype.label(), at);
    }
  }

  /** The rows' losses, unless they are the result, and what their sum is divided by. */
  private static Recipe loss(KernelLibrary kernels, SoftmaxCrossEntropy op, List<TensorSpec> in) {
    boolean reduced = op.reduction() != LossReduction.NONE;
    long rows = in.get(1).size();
    List<Long> workspaces = reduced ? List.of(4 * rows, 4L) : List.of();
    return Recipe.of(
        workspaces,
        place -> {
          List<Launch> launches = new ArrayList<>();
          DeviceMemory losses = reduced ? place.workspaces().get(0) : place.out(0).memory();
          List<Argument> arguments = new ArrayList<>();
          arguments.add(place.in(0).argument());
          arguments.add(new Argument.Address(losses));
          arguments.addAll(rows(op.targets(), place));
          launches.add(perRow(kernels, "cross_entropy", place, arguments));
          launches.add(place.problem().completed(kernels, place.in(1)));
          if (reduced) {
            DeviceMemory divisor = place.workspaces().get(1);
            launches.add(divisor(kernels, op, place, divisor));
            launches.add(
                oneBlock(
                    kernels,
                    "sum_of_rows",
                    new Argument.Address(losses),
                    new Argument.Address(divisor),
                    place.in(1).size(),
                    place.out(0).argument()));
          }
          return launches;
        });
  }

  private static Recipe gradient(KernelLibrary kernels, SoftmaxCrossEntropy op) {
    boolean reduced = op.reduction() != LossReduction.NONE;
    return Recipe.of(
        List.of(4L),
        place -> {
          DeviceMemory divisor = place.workspaces().getFirst();
          List<Argument> arguments = new ArrayList<>();
          arguments.add(place.in(0).argument());
          arguments.add(place.in(2).argument());
          arguments.add(new Argument.Int32(reduced ? 0 : 1));
          arguments.add(new Argument.Address(divisor));
          arguments.add(place.out(0).argument());
          arguments.addAll(rows(op.targets(), place));
          return List.of(
              divisor(kernels, op, place, divisor),
              perRow(kernels, "cross_entropy_gradient", place, arguments),
              place.problem().completed(kernels, place.in(1)));
        });
  }

  private static Launch perRow(
      KernelLibrary kernels, String name, Recipe.Place place, List<Argument> arguments) {
    TensorSpec logits = place.in(0).spec();
    return new KernelLaunch(
        kernels.kernel(FILE, name, logits.dtype()),
        Size.of(logits.dim(0)),
        Size.of(THREADS),
        arguments);
  }

  private static Launch oneBlock(KernelLibrary kernels, String name, Argument... arguments) {
    return new KernelLaunch(
        kernels.kernel(FILE, name), Size.of(1), Size.of(THREADS), List.of(arguments));
  }

  private static Launch divisor(
      KernelLibrary kernels, SoftmaxCrossEntropy op, Recipe.Place place, DeviceMemory divisor) {
    return oneBlock(
        kernels,
        "counted_rows",
        place.in(1).argument(),
        new Argument.Int32(place.in(1).spec().dtype().bytes()),
        new Argument.Int32(op.targets().ignored().isPresent() ? 1 : 0),
        new Argument.Int64(op.targets().ignored().orElse(0)),
        place.in(1).size(),
        new Argument.Int32(op.reduction() == LossReduction.MEAN ? 1 : 0),
        new Argument.Address(divisor));
  }

  /** What all kernels of rows take last. */
  private static List<Argument> rows(Targets targets, Recipe.Place place) {
    return List.of(
        place.in(1).argument(),
        new Argument.Int32(place.in(1).spec().dtype().bytes()),
        new Argument.Int32(place.in(0).spec().dim(1)),
        new Argument.Float32((float) targets.smoothing()),
        new Argument.Int32(targets.ignored().isPresent() ? 1 : 0),
        new Argument.Int64(targets.ignored().orElse(0)),
        place.problem().argument(),
        place.problem().base());
  }
}
