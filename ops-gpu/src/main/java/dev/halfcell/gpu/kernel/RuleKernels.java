package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.update.AdagradRule;
import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.LambRule;
import dev.halfcell.op.update.LarsRule;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.RmsPropRule;
import dev.halfcell.op.update.RowsRule;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rules that move each element by itself, {@code update.cu}: all elements, or some rows of a table,
 * by the same kernel, so that a row moves to the same bits either way.
 */
final class RuleKernels {
  private static final String FILE = "update";

  private RuleKernels() {}

  /**
   * What computes a rule.
   *
   * @param kernel takes where to move, the inputs of the rule, its outputs, and then the numbers
   * @param slots those that the kernel knows, of which a rule may lack some
   * @param numbers those of the rule
   */
  private record Body(String kernel, List<String> slots, List<Argument> numbers) {
    static Body of(UpdateRule rule, String kernel, List<Argument> numbers) {
      return new Body(kernel, rule.slots(), numbers);
    }
  }

  static Recipe of(KernelLibrary kernels, UpdateRule rule, List<TensorSpec> in) {
    return switch (rule) {
      case LambRule lamb -> TrustKernels.lamb(kernels, lamb, in.getFirst().size());
      case LarsRule lars -> TrustKernels.lars(kernels, lars, in.getFirst().size());
      case SgdRule _, MomentumRule _, AdamRule _, RmsPropRule _, AdagradRule _ ->
          Recipe.of(
              place -> {
                long n = place.in(0).spec().size();
                return List.of(launch(kernels, rule, place, places(0, 0, 0, 1, n), n));
              });
    };
  }

  static Recipe rows(KernelLibrary kernels, RowsRule op) {
    return Recipe.of(
        place -> {
          DeviceTensor gradient = place.in(op.gradientInput());
          DeviceTensor rows = place.in(op.rowsInput());
          DeviceTensor count = place.in(op.rowsInput() + 1);
          long height = place.in(0).spec().dim(0);
          List<Launch> launches = new ArrayList<>();
          launches.add(
              KernelLaunch.block(
                  kernels.kernel(FILE, "check_rows"),
                  rows.argument(),
                  count.argument(),
                  rows.size(),
                  new Argument.Int64(height),
                  place.problem().argument(),
                  place.problem().base()));
          for (int table = 0; table < place.out().size(); table++) {
            launches.add(PrecisionKernels.copy(kernels, place.in(table), place.out(table)));
          }
          long n = gradient.spec().size();
          long width = gradient.spec().dim(1);
          Argument places =
              places(rows.memory().address(), count.memory().address(), height, width, n);
          launches.add(launch(kernels, op.rule(), place, places, n));
          return launches;
        });
  }

  /** Where the rule moves elements: {@code rule.cuh}. */
  private static Argument places(long rows, long count, long height, long width, long n) {
    return new Argument.Words(List.of(rows, count, height, width, n));
  }

  private static Launch launch(
      KernelLibrary kernels, UpdateRule rule, Recipe.Place place, Argument places, long n) {
    Body body = body(rule);
    int gradient = rule.slots().size() + 1;
    List<Argument> arguments = new ArrayList<>(List.of(places));
    arguments.addAll(tables(rule, body, place.in()));
    arguments.add(place.in(gradient).argument());
    arguments.add(place.in(gradient + 1).argument());
    if (rule.counted()) {
      arguments.add(place.in(gradient + 2).argument());
    }
    arguments.addAll(tables(rule, body, place.out()));
    arguments.addAll(body.numbers());
    return KernelLaunch.each(kernels.kernel(FILE, body.kernel()), n, arguments);
  }

  /** The parameter and its slots, which come first, with a pointer to nothing for each it lacks. */
  private static List<Argument> tables(UpdateRule rule, Body body, List<DeviceTensor> from) {
    List<Argument> arguments = new ArrayList<>(List.of(from.getFirst().argument()));
    for (String slot : body.slots()) {
      int number = rule.slots().indexOf(slot);
      arguments.add(number < 0 ? KernelLaunch.NONE : from.get(number + 1).argument());
    }
    return arguments;
  }

  private static Body body(UpdateRule rule) {
    return switch (rule) {
      case SgdRule(double decay) -> Body.of(rule, "sgd", floats(decay));
      case MomentumRule momentum ->
          Body.of(
              rule,
              "momentum",
              joined(
                  floats(momentum.momentum()),
                  List.of(new Argument.Int32(momentum.nesterov() ? 1 : 0)),
                  decays(momentum.weightDecay(), momentum.decoupled())));
      case AdamRule adam ->
          Body.of(
              rule,
              "adam",
              joined(
                  List.of(moment(adam.beta1()), moment(adam.beta2())),
                  floats(adam.epsilon()),
                  decays(adam.weightDecay(), adam.decoupled())));
      case RmsPropRule rms ->
          new Body(
              "rms_prop",
              List.of("mean_square", "mean_gradient", "velocity"),
              floats(
                  rms.smoothing(),
                  1 - rms.smoothing(),
                  rms.epsilon(),
                  rms.momentum(),
                  rms.weightDecay()));
      case AdagradRule(double initial, double epsilon, double decay) ->
          Body.of(rule, "adagrad", floats(initial, epsilon, decay));
      case LambRule _, LarsRule _ ->
          throw new IllegalStateException(rule.label() + " looks at norms");
    };
  }

  private static List<Argument> joined(
      List<Argument> first, List<Argument> second, List<Argument> third) {
    return Stream.of(first, second, third).flatMap(List::stream).toList();
  }

  private static List<Argument> floats(double... numbers) {
    List<Argument> arguments = new ArrayList<>();
    for (double each : numbers) {
      arguments.add(new Argument.Float32((float) each));
    }
    return arguments;
  }

  /** What is added to the gradient, and what shrinks the parameter: one of them is 0. */
  private static List<Argument> decays(double decay, boolean decoupled) {
    return floats(decoupled ? 0 : decay, decoupled ? decay : 0);
  }

  /** A mean that decays so much: {@code rule.cuh}. */
  static Argument moment(double decay) {
    long low = Integer.toUnsignedLong(Float.floatToRawIntBits((float) decay));
    long high = (long) Float.floatToRawIntBits((float) (1 - decay)) << Integer.SIZE;
    return new Argument.Words(List.of(Double.doubleToRawLongBits(Math.log(decay)), high | low));
  }
}
