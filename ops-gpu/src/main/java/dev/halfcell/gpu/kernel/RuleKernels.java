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

/**
 * Rules that move each element by itself, {@code update.cu}: all elements, or some rows of a table,
 * by the same kernel, so that a row moves to the same bits either way.
 */
final class RuleKernels {
  static final String FILE = "update";

  private RuleKernels() {}

  /** How many slots a kernel knows at most. */
  static final int SLOTS = 3;

  /**
   * What computes a rule.
   *
   * @param kernel takes one parameter; the one with {@code _all} behind its name takes many
   * @param slots those that the kernel knows, of which a rule may lack some
   * @param numbers those of the rule
   */
  record Body(String kernel, List<String> slots, Argument numbers) {
    private static Body of(UpdateRule rule, String kernel, Argument numbers) {
      return new Body(kernel, rule.slots(), numbers);
    }

    /**
     * The addresses of a parameter and of the slots that the kernel knows: 0 for one that the rule
     * lacks.
     *
     * @param tensors the parameter and its slots, in the order of the rule
     */
    List<Long> addresses(UpdateRule rule, List<DeviceTensor> tensors) {
      List<Long> addresses = new ArrayList<>(List.of(tensors.getFirst().memory().address()));
      for (int slot = 0; slot < SLOTS; slot++) {
        int number = slot < slots.size() ? rule.slots().indexOf(slots.get(slot)) : -1;
        addresses.add(number < 0 ? 0 : tensors.get(number + 1).memory().address());
      }
      return addresses;
    }
  }

  /** Whether a rule moves each element by itself. */
  static boolean elementwise(UpdateRule rule) {
    return switch (rule) {
      case LambRule _, LarsRule _ -> false;
      case SgdRule _, MomentumRule _, AdamRule _, RmsPropRule _, AdagradRule _ -> true;
    };
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
    return KernelLaunch.each(
        kernels.kernel(FILE, body.kernel()),
        n,
        places,
        new Argument.Words(body.addresses(rule, place.in())),
        new Argument.Words(body.addresses(rule, place.out())),
        place.in(gradient).argument(),
        place.in(gradient + 1).argument(),
        rule.counted() ? place.in(gradient + 2).argument() : KernelLaunch.NONE,
        body.numbers());
  }

  /** What computes a rule that is {@link #elementwise}. */
  static Body body(UpdateRule rule) {
    return switch (rule) {
      case SgdRule(double decay) -> Body.of(rule, "sgd", new Numbers().add(decay).argument());
      case MomentumRule momentum ->
          Body.of(
              rule,
              "momentum",
              new Numbers()
                  .add(momentum.momentum())
                  .add(momentum.nesterov())
                  .addDecays(momentum.weightDecay(), momentum.decoupled())
                  .argument());
      case AdamRule adam ->
          Body.of(
              rule,
              "adam",
              new Numbers()
                  .addMoment(adam.beta1())
                  .addMoment(adam.beta2())
                  .add(adam.epsilon())
                  .addDecays(adam.weightDecay(), adam.decoupled())
                  .argument());
      case RmsPropRule rms ->
          new Body(
              "rms_prop",
              List.of("mean_square", "mean_gradient", "velocity"),
              new Numbers()
                  .add(rms.smoothing())
                  .add(1 - rms.smoothing())
                  .add(rms.epsilon())
                  .add(rms.momentum())
                  .add(rms.weightDecay())
                  .add(rms.slots().contains("mean_gradient"))
                  .add(rms.slots().contains("velocity"))
                  .argument());
      case AdagradRule(double initial, double epsilon, double decay) ->
          Body.of(rule, "adagrad", new Numbers().add(initial).add(epsilon).add(decay).argument());
      case LambRule _, LarsRule _ ->
          throw new IllegalStateException(rule.label() + " looks at norms");
    };
  }
}
