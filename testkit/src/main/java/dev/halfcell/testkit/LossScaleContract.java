package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.Variable;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.LossScale.State;
import dev.halfcell.op.precision.LossScale.Verdict;
import dev.halfcell.train.Execution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** On every backend a loss scale goes where its rule says, to the bit. */
public abstract class LossScaleContract extends OnBackend {
  private static final List<Execution> EXECUTIONS =
      List.of(
          new Execution.Eager(),
          new Execution.Planned(PlanOptions.PLAIN),
          new Execution.Planned(PlanOptions.FULL));
  private static final int RULES = 500;
  private static final int SEQUENCES = 20;
  private static final int GRADIENTS = 5;

  @TestFactory
  final Stream<DynamicTest> theRuleFollowsTheTrace() {
    return ScaleTrace.all().map(trace -> DynamicTest.dynamicTest(trace.name(), () -> pure(trace)));
  }

  private static void pure(ScaleTrace trace) {
    State state = trace.rule().start();
    List<Double> scales = new ArrayList<>();
    for (List<Double> update : trace.updates()) {
      for (double magnitude : update) {
        state = trace.rule().next(state, verdict(magnitude));
      }
      scales.add(state.scale());
    }
    assertEquals(trace.scales(), scales);
  }

  @TestFactory
  final Stream<DynamicTest> aTrainingsStateFollowsTheTrace() {
    return ScaleTrace.all()
        .flatMap(
            trace ->
                EXECUTIONS.stream()
                    .map(
                        execution ->
                            DynamicTest.dynamicTest(
                                trace + ", " + execution, () -> trained(trace, execution))));
  }

  private void trained(ScaleTrace trace, Execution execution) {
    try (ScaleTraining training = new ScaleTraining(trace.rule(), backend(), execution)) {
      List<Double> scales = new ArrayList<>();
      for (List<Double> update : trace.updates()) {
        update.forEach(training::step);
        scales.add(training.state().read(Variable.scale()).item());
      }
      assertEquals(trace.scales(), scales);
    }
  }

  /** 10,000 pairs of a rule and a sequence of gradients, scale, count and words alike. */
  @Test
  final void aPlansStateFollowsAnyRule() {
    RandomScales random = new RandomScales(new Generator(Generator.seed()));
    for (int i = 0; i < RULES; i++) {
      LossScale rule = random.rule();
      try (ScaleDevice device = new ScaleDevice(rule, backend(), GRADIENTS)) {
        for (int j = 0; j < SEQUENCES; j++) {
          follow(rule, device, random, random.g().integer(1, 12));
        }
      }
    }
  }

  private static void follow(LossScale rule, ScaleDevice device, RandomScales random, int steps) {
    State state = rule.start();
    device.restart();
    for (int step = 0; step < steps; step++) {
      double[] gradients = random.gradients(GRADIENTS);
      boolean finite = Arrays.stream(gradients).allMatch(Double::isFinite);
      double largest = Arrays.stream(gradients).map(Math::abs).max().orElseThrow();
      State before = state;
      state = rule.next(state, finite ? Verdict.of(true, largest) : Verdict.of(false));
      int at = step;
      assertEquals(
          state,
          device.step(gradients),
          () -> rule + " in step " + at + " from " + before + " by " + Arrays.toString(gradients));
    }
  }

  private static Verdict verdict(double magnitude) {
    return Verdict.of(Double.isFinite(magnitude), magnitude);
  }
}
