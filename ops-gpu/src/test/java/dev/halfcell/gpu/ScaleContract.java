package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.DynamicScale;
import dev.halfcell.op.precision.LogMaxScale;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.LossScale.State;
import dev.halfcell.op.precision.LossScale.Verdict;
import dev.halfcell.op.precision.ScaleHabits;
import dev.halfcell.op.precision.ScaleUpdate;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random overflows move the kernels' loss scales to the bits of {@link LossScale#next}. */
abstract class ScaleContract {
  private static final int RULES = 200;
  private static final int SEQUENCES = 50;
  private static final int STEPS = 20;
  private static final TensorSpec SCALE = TensorSpec.of(DType.FP32);

  private final Random random = new Random(19);

  /** Opens the GPU that is held to the contract. */
  abstract GpuBackend openBackend();

  @Test
  final void tenThousandSequencesGoWhereTheirRulesSay() {
    try (GpuBackend gpu = openBackend()) {
      for (int i = 0; i < RULES; i++) {
        follow(gpu, rule(i));
      }
    }
  }

  private void follow(GpuBackend gpu, LossScale rule) {
    try (Plan plan =
        gpu.compile(
            GpuEager.graph(new ScaleUpdate(rule), specs(rule), CellPath.ROOT),
            new Constants(),
            PlanOptions.PLAIN,
            Collective.single())) {
      for (int sequence = 0; sequence < SEQUENCES; sequence++) {
        follow(plan, rule);
      }
    }
  }

  private void follow(Plan plan, LossScale rule) {
    State state = rule.start();
    for (int step = 0; step < STEPS; step++) {
      boolean finite = random.nextInt(3) > 0;
      double largest = largest(finite);
      State next = rule.next(state, Verdict.of(finite, largest));
      State got = run(plan, rule, state, finite, largest);
      assertEquals(next, got, rule + " in step " + step + " from " + state + " by " + largest);
      state = next;
    }
  }

  /** As many inputs as the rule takes. */
  private static List<TensorSpec> specs(LossScale rule) {
    List<TensorSpec> specs =
        new ArrayList<>(List.of(SCALE, TensorSpec.of(DType.INT64), TensorSpec.of(DType.BOOL)));
    int words = rule.start().words().size();
    if (words > 0) {
      specs.add(TensorSpec.of(DType.FP64, words));
    }
    if (rule.readsLargest()) {
      specs.add(SCALE);
    }
    return specs;
  }

  private static State run(Plan plan, LossScale rule, State now, boolean finite, double largest) {
    try (TensorScope scope = TensorScope.guarded()) {
      List<double[]> values =
          new ArrayList<>(
              List.of(
                  new double[] {now.scale()},
                  new double[] {now.clean()},
                  new double[] {finite ? 1 : 0}));
      if (!now.words().isEmpty()) {
        values.add(now.words().stream().mapToDouble(word -> word).toArray());
      }
      if (rule.readsLargest()) {
        values.add(new double[] {largest});
      }
      List<TensorSpec> specs = specs(rule);
      List<Tensor> in = new ArrayList<>();
      for (int i = 0; i < specs.size(); i++) {
        in.add(Tensor.of(scope, specs.get(i), values.get(i)));
      }
      List<Tensor> out = plan.run(in);
      List<Double> words = new ArrayList<>();
      for (int i = 0; i < now.words().size(); i++) {
        words.add(out.get(2).at(i));
      }
      return new State(out.get(0).item(), (long) out.get(1).item(), words);
    }
  }

  /** Of all magnitudes that a float has, 0 and the subnormal ones too; infinite on overflow. */
  private double largest(boolean finite) {
    if (!finite) {
      return random.nextBoolean() ? Double.POSITIVE_INFINITY : Double.NaN;
    }
    return random.nextInt(8) == 0 ? 0 : (float) Math.exp(16 * random.nextGaussian());
  }

  private LossScale rule(int number) {
    return switch (number % 8) {
      case 0 -> number % 16 == 0 ? LossScale.none() : LossScale.fixed(magnitude());
      case 1, 2, 3 -> logMax();
      case 4 -> LossScale.deepSpeed(1 + random.nextInt(3)).window(1 + random.nextInt(4));
      default -> dynamic();
    };
  }

  private double magnitude() {
    return Math.exp(4 * random.nextGaussian());
  }

  private LogMaxScale logMax() {
    double min = magnitude();
    return new LogMaxScale(
        min,
        min * Math.scalb(1.0, random.nextInt(20)),
        1 + random.nextInt(128),
        1 - Math.exp(-Math.abs(3 * random.nextGaussian())),
        1 - Math.exp(-Math.abs(3 * random.nextGaussian())),
        Math.abs(random.nextGaussian()));
  }

  private DynamicScale dynamic() {
    ScaleHabits habits =
        ScaleHabits.usual().hysteresis(1 + random.nextInt(3)).late(random.nextInt(3));
    habits = random.nextBoolean() ? habits.consecutively() : habits;
    double init = magnitude();
    return new DynamicScale(
        init,
        factor(),
        1 / factor(),
        1 + random.nextInt(4),
        random.nextBoolean() ? DynamicScale.NO_FLOOR : init / (1 << random.nextInt(4)),
        random.nextBoolean() ? DynamicScale.NO_CEILING : init * (1 << random.nextInt(4)),
        random.nextBoolean() ? habits.clipping() : habits);
  }

  private double factor() {
    return random.nextBoolean() ? 2 : 1.001 + Math.abs(4 * random.nextGaussian());
  }
}
