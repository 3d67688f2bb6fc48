package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.update.ClipByNorm;
import dev.halfcell.op.update.ClipByValue;
import dev.halfcell.op.update.CountRefused;
import dev.halfcell.op.update.Hopeful;
import dev.halfcell.op.update.Increment;
import dev.halfcell.op.update.LearningRate;
import dev.halfcell.op.update.RowsRule;
import dev.halfcell.op.update.Update;
import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.op.update.Window;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** What turns gradients into new parameters, by the files of those who compute it. */
final class UpdateKernels {
  private static final String CLIPS = "check";

  private UpdateKernels() {}

  static Recipe of(KernelLibrary kernels, Update op, List<TensorSpec> in, CellPath at) {
    requireFp32(op.label(), computedOn(op, in), at);
    return switch (op) {
      case ClipByNorm clip -> byNorm(kernels, clip);
      case ClipByValue clip -> byValue(kernels, clip);
      case UpdateRule rule -> RuleKernels.of(kernels, rule, in);
      case RowsRule rule -> RuleKernels.rows(kernels, rule);
      case LearningRate rate -> ScheduleKernels.of(kernels, rate, at);
      case Window window -> WindowKernels.of(kernels, window);
      case Increment _ -> WindowKernels.scalar(kernels, "increment");
      case CountRefused _ -> WindowKernels.scalar(kernels, "count_refused");
      case Hopeful _ -> WindowKernels.scalar(kernels, "hopeful");
    };
  }

  /** The inputs, but for a norm of all gradients as {@code GradientCheck} yields it. */
  private static List<TensorSpec> computedOn(Update op, List<TensorSpec> in) {
    return switch (op) {
      case ClipByNorm _ when in.get(1).dtype() == DType.FP64 -> in.subList(0, 1);
      default -> in;
    };
  }

  /** Refuses floating inputs of other dtypes: a precision plan casts them for these ops. */
  static void requireFp32(String work, List<TensorSpec> in, CellPath at) {
    for (TensorSpec each : in) {
      if (each.dtype().floating() && each.dtype() != DType.FP32) {
        throw Kernels.refusal(work, "one of " + each.dtype().label(), at);
      }
    }
  }

  private static Recipe byNorm(KernelLibrary kernels, ClipByNorm clip) {
    return Recipe.of(
        place ->
            List.of(
                KernelLaunch.each(
                    kernels.kernel(CLIPS, "clip_by_norm"),
                    place.out(0).spec().size(),
                    place.in(0).argument(),
                    place.in(1).argument(),
                    new Argument.Int32(place.in(1).spec().dtype().bytes()),
                    place.out(0).argument(),
                    new Argument.Float64(clip.largest()),
                    new Argument.Float64(ClipByNorm.EPSILON),
                    place.out(0).size())));
  }

  private static Recipe byValue(KernelLibrary kernels, ClipByValue clip) {
    return Recipe.of(
        place ->
            List.of(
                KernelLaunch.each(
                    kernels.kernel(CLIPS, "clip_by_value"),
                    place.out(0).spec().size(),
                    place.in(0).argument(),
                    place.out(0).argument(),
                    new Argument.Float32((float) clip.largest()),
                    place.out(0).size())));
  }
}
