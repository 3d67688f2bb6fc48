package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.update.Accumulate;
import dev.halfcell.op.update.CountFinite;
import dev.halfcell.op.update.Restart;
import dev.halfcell.op.update.Window;
import dev.halfcell.op.update.WindowClean;
import dev.halfcell.op.update.WindowScale;
import dev.halfcell.op.update.WindowStatistic;
import java.util.ArrayList;
import java.util.List;

/** Counters of a step, and the sums of a window of micro-batches: {@code counters.cu}. */
final class WindowKernels {
  private static final String FILE = "counters";

  private WindowKernels() {}

  static Recipe of(KernelLibrary kernels, Window op) {
    return switch (op) {
      case Accumulate _ -> each(kernels, "accumulate");
      case WindowStatistic _ -> each(kernels, "window_statistic");
      case WindowScale(boolean whole) ->
          scalar(kernels, "window_scale", new Argument.Int32(whole ? 1 : 0));
      case WindowClean _ -> scalar(kernels, "window_clean");
      case CountFinite _ -> scalar(kernels, "count_finite");
      case Restart _ ->
          Recipe.of(
              place ->
                  List.of(
                      KernelLaunch.each(
                          kernels.kernel(FILE, "restart"), 1, place.out(0).argument())));
    };
  }

  /** A kernel that takes all inputs, the output and these numbers, and fills one element. */
  static Recipe scalar(KernelLibrary kernels, String name, Argument... numbers) {
    return Recipe.of(
        place -> {
          List<Argument> arguments = new ArrayList<>(place.arguments());
          arguments.addAll(List.of(numbers));
          return List.of(KernelLaunch.each(kernels.kernel(FILE, name), 1, arguments));
        });
  }

  private static Recipe each(KernelLibrary kernels, String name) {
    return Recipe.of(
        place -> {
          List<Argument> arguments = new ArrayList<>(place.arguments());
          arguments.add(place.out(0).size());
          return List.of(
              KernelLaunch.each(kernels.kernel(FILE, name), place.out(0).spec().size(), arguments));
        });
  }
}
