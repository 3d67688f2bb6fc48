package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.loss.BceWithLogits;
import dev.halfcell.op.loss.ElementLoss;
import dev.halfcell.op.loss.ElementLossGradient;
import dev.halfcell.op.loss.L1;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.MeanSquaredError;
import dev.halfcell.op.loss.SmoothL1;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** Losses of each element alone and their gradients: {@code element_loss.cu}. */
final class ElementLossKernels {
  private static final String FILE = "element_loss";
  private static final int MOST_PARTS = 1024;
  private static final int ELEMENTS_OF_THREAD = 4;

  private ElementLossKernels() {}

  static Recipe loss(KernelLibrary kernels, ElementLoss op, List<TensorSpec> in, CellPath at) {
    requireSinglePrecision(op, in, at);
    if (op.reduction() == LossReduction.NONE) {
      return each(kernels, op);
    }
    long elements = in.getFirst().size();
    long parts =
        Math.min(
            MOST_PARTS, Math.ceilDiv(elements, KernelLaunch.THREADS * (long) ELEMENTS_OF_THREAD));
    float divisor = op.reduction() == LossReduction.MEAN ? elements : 1;
    return Recipe.of(
        List.of(Float.BYTES * parts),
        place -> {
          Argument sums = new Argument.Address(place.workspaces().getFirst());
          return List.of(
              KernelLaunch.each(
                  kernels.kernel(FILE, name(op) + "_parts"),
                  parts * KernelLaunch.THREADS,
                  place.in(0).argument(),
                  place.in(1).argument(),
                  sums,
                  beta(op),
                  place.in(0).size()),
              sum(kernels, sums, parts, divisor, place.out(0)));
        });
  }

  private static Recipe each(KernelLibrary kernels, ElementLoss op) {
    return Recipe.of(
        place ->
            List.of(
                KernelLaunch.each(
                    kernels.kernel(FILE, name(op) + "_each"),
                    place.out(0).spec().size(),
                    place.in(0).argument(),
                    place.in(1).argument(),
                    place.out(0).argument(),
                    beta(op),
                    place.out(0).size())));
  }

  /** The sum of {@code parts} numbers by a divisor, in one block. */
  static Launch sum(
      KernelLibrary kernels, Argument numbers, long parts, float divisor, DeviceTensor to) {
    return KernelLaunch.each(
        kernels.kernel(FILE, "sum_of_parts"),
        KernelLaunch.THREADS,
        numbers,
        new Argument.Float32(divisor),
        new Argument.Int64(parts),
        to.argument());
  }

  static Recipe gradient(
      KernelLibrary kernels, ElementLossGradient op, List<TensorSpec> in, CellPath at) {
    requireSinglePrecision(op, in, at);
    LossReduction reduction = op.of().reduction();
    float divisor = reduction == LossReduction.MEAN ? in.getFirst().size() : 1;
    return Recipe.of(
        place ->
            List.of(
                KernelLaunch.each(
                    kernels.kernel(FILE, name(op.of()) + "_gradient"),
                    place.out(0).spec().size(),
                    place.in(0).argument(),
                    place.in(1).argument(),
                    place.in(2).argument(),
                    new Argument.Int64(reduction.place(1)),
                    new Argument.Float32(divisor),
                    place.out(0).argument(),
                    beta(op.of()),
                    place.out(0).size())));
  }

  /** Losses are FP32 at every level. */
  static void requireSinglePrecision(Loss op, List<TensorSpec> in, CellPath at) {
    for (TensorSpec each : in) {
      if (each.dtype().floating() && each.dtype() != DType.FP32) {
        throw Kernels.refusal(op.label(), "one in " + each.dtype().label(), at);
      }
    }
  }

  private static String name(ElementLoss op) {
    return switch (op) {
      case MeanSquaredError _ -> "mean_squared_error";
      case L1 _ -> "l1";
      case SmoothL1 _ -> "smooth_l1";
      case BceWithLogits _ -> "bce_with_logits";
    };
  }

  private static Argument beta(ElementLoss op) {
    return new Argument.Float32(op instanceof SmoothL1 smooth ? (float) smooth.beta() : 0);
  }
}
