package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.precision.DynamicScale;
import dev.halfcell.op.precision.FixedScale;
import dev.halfcell.op.precision.LogMaxScale;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.NoScale;
import dev.halfcell.op.precision.ScaleHabits;
import dev.halfcell.op.precision.ScaleUpdate;
import java.util.ArrayList;
import java.util.List;

/** Loss scales, which go to the bit where {@link LossScale#next} says: {@code scale.cu}. */
final class ScaleKernels {
  private ScaleKernels() {}

  static Recipe of(KernelLibrary kernels, ScaleUpdate op) {
    return Recipe.of(
        place ->
            switch (op.rule()) {
              case NoScale _, FixedScale _ -> stays(kernels, place);
              case DynamicScale rule -> dynamic(kernels, rule, op.words() > 0, place);
              case LogMaxScale rule -> logMax(kernels, rule, place);
            });
  }

  private static List<Launch> stays(KernelLibrary kernels, Recipe.Place place) {
    return launch(
        kernels,
        "scale_stays",
        List.of(
            place.in(0).argument(),
            place.in(1).argument(),
            place.out(0).argument(),
            place.out(1).argument()));
  }

  private static List<Launch> dynamic(
      KernelLibrary kernels, DynamicScale rule, boolean remembers, Recipe.Place place) {
    List<Argument> arguments = new ArrayList<>();
    place.in().subList(0, 3).forEach(each -> arguments.add(each.argument()));
    arguments.add(remembers ? place.in(3).argument() : KernelLaunch.NONE);
    place.out().subList(0, 2).forEach(each -> arguments.add(each.argument()));
    arguments.add(remembers ? place.out(2).argument() : KernelLaunch.NONE);
    ScaleHabits habits = rule.habits();
    arguments.addAll(
        List.of(
            new Argument.Float64(rule.up()),
            new Argument.Float64(rule.down()),
            new Argument.Float32((float) rule.min()),
            new Argument.Float32((float) rule.max()),
            new Argument.Int64(rule.window()),
            new Argument.Int32(habits.late()),
            new Argument.Int32(habits.clips() ? 1 : 0),
            new Argument.Int32(habits.consecutive() ? 1 : 0),
            new Argument.Float64(habits.hysteresis())));
    return launch(kernels, "scale_dynamic", arguments);
  }

  private static List<Launch> logMax(KernelLibrary kernels, LogMaxScale rule, Recipe.Place place) {
    List<Argument> arguments = new ArrayList<>(place.arguments());
    arguments.addAll(
        List.of(
            new Argument.Float32((float) rule.min()),
            new Argument.Float32((float) rule.max()),
            new Argument.Float64(rule.logMax()),
            new Argument.Float64(rule.meanDecay()),
            new Argument.Float64(rule.spreadDecay()),
            new Argument.Float64(rule.deviations())));
    return launch(kernels, "scale_logmax", arguments);
  }

  private static List<Launch> launch(KernelLibrary kernels, String name, List<Argument> arguments) {
    return List.of(KernelLaunch.each(kernels.kernel("scale", name), 1, arguments));
  }
}
