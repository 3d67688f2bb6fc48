package dev.halfcell.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.update.Plateau;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.GradientClip;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.ParameterGroup;
import dev.halfcell.optim.ParameterGroups;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ParameterGroupsTest {
  private static final Execution PLAIN = new Execution.Planned(PlanOptions.PLAIN);
  private static final Sgd SGD = new Sgd(new Schedule.Constant(0.5), 0.5);

  private static Cell network() {
    return new WithLossCell(new Sequential(new Dense(3, 4), new Dense(4, 2)), new MSELoss());
  }

  private static Variable parameter(String path) {
    return new Variable(Variable.Kind.PARAMETER, new CellPath(path));
  }

  private static UsageException refused(Optimizer optimizer) {
    return assertThrows(UsageException.class, () -> TrainState.of(network(), optimizer, 1));
  }

  @Test
  void aPatternThatMatchesNothingIsNamed() {
    ParameterGroups groups = SGD.groups(ParameterGroup.of("/2/**").frozen());
    assertEquals("/2/**", refused(groups).problem().where());
    assertTrue(refused(groups).problem().got().contains("/1/bias"));
    UsageException e = assertThrows(UsageException.class, () -> Recipe.standard(network(), groups));
    assertEquals("/2/**", e.problem().where());
  }

  @Test
  void whatIsSaidTwiceOfAParameterIsRefused() {
    UsageException decay =
        refused(
            SGD.groups(
                ParameterGroup.of("**/bias").weightDecay(0),
                ParameterGroup.of("/1/**").weightDecay(1)));
    assertEquals("/1/bias", decay.problem().where());
    assertEquals("[**/bias, /1/**]", decay.problem().got());
    UsageException frozen =
        refused(
            SGD.groups(
                ParameterGroup.of("/1/**").frozen(), ParameterGroup.of("**/bias").rateFactor(2)));
    assertEquals("/1/bias", frozen.problem().where());
  }

  @Test
  void groupsThatSayDifferentThingsAddUp() {
    ParameterGroups groups =
        SGD.groups(
            ParameterGroup.of("**/bias").weightDecay(0), ParameterGroup.of("/1/**").rateFactor(4));
    groups.require(Trainable.of(network()));
    assertEquals(List.of(SGD), groups.of(parameter("/0/weight")).stream().toList());
    Sgd bias = (Sgd) groups.of(parameter("/1/bias")).orElseThrow();
    assertEquals(2, bias.learningRate().rate(0));
    assertEquals(0, bias.weightDecay());
    assertEquals(
        0.125,
        SGD.groups(ParameterGroup.of("/1/**").learningRate(new Schedule.Constant(0.125)))
            .of(parameter("/1/bias"))
            .orElseThrow()
            .learningRate()
            .rate(9));
  }

  @Test
  void groupsThatMakeNoSenseAreRefused() {
    ParameterGroup group = ParameterGroup.of("**");
    assertThrows(ArgumentException.class, () -> group.rateFactor(-1));
    assertThrows(ArgumentException.class, () -> group.rateFactor(2).frozen());
    assertThrows(ArgumentException.class, () -> group.learningRate(new Plateau(0.1)));
    assertThrows(ArgumentException.class, () -> SGD.groups(group.weightDecay(Double.NaN)));
    assertThrows(ArgumentException.class, () -> SGD.clip(GradientClip.byNorm(-1)));
    Optimizer clipped = SGD.clip(GradientClip.byValue(1));
    assertThrows(ArgumentException.class, () -> clipped.clip(GradientClip.byNorm(1)));
  }

  private record Moved(StepResult result, Map<Variable, double[]> values) {}

  private static Moved step(Optimizer optimizer, Recipe recipe, Cell net) {
    TrainStep step = new TrainStep(net, PrecisionRules.none(), LossScale.fixed(64), recipe);
    try (TensorScope scope = TensorScope.open();
        Backend backend = new ReferenceBackend();
        TrainState state = TrainState.of(net, optimizer, 1);
        TrainLoop loop = new TrainLoop(step, state, backend, PLAIN)) {
      Batch batch =
          new Batch(
              List.of(
                  Tensor.of(scope, TensorSpec.of(DType.FP32, 2, 3), 1, -2, 3, 0.5, 1, -1),
                  Tensor.of(scope, TensorSpec.of(DType.FP32, 2, 2), 1, 0, 0, 1)),
              scope.allocate(TensorSpec.of(DType.INT64, 2)));
      StepResult result = loop.step(batch);
      Map<Variable, double[]> values = new HashMap<>();
      state.values().forEach((variable, value) -> values.put(variable, value.toArray()));
      return new Moved(result, values);
    }
  }

  private static Moved step(Optimizer optimizer) {
    Cell net = network();
    return step(optimizer, Recipe.standard(net, optimizer), net);
  }

  private static double[] moves(Moved from, Moved to, String path) {
    double[] before = from.values().getOrDefault(parameter(path), new double[0]);
    double[] after = to.values().getOrDefault(parameter(path), new double[0]).clone();
    for (int i = 0; i < after.length; i++) {
      after[i] -= before[i];
    }
    return after;
  }

  @Test
  void aClipByNormShortensTheStepAndNotTheReportedNorm() {
    Moved start = step(new Sgd(0));
    Moved free = step(new Sgd(1));
    Moved clipped = step(new Sgd(1).clip(GradientClip.byNorm(0.25)));
    double norm = free.result().gradientNorm();
    assertTrue(norm > 0.25, "norm " + norm);
    assertEquals(norm, clipped.result().gradientNorm());
    for (String path : List.of("/0/weight", "/0/bias", "/1/weight", "/1/bias")) {
      double[] want = moves(start, free, path);
      for (int i = 0; i < want.length; i++) {
        want[i] *= 0.25 / (norm + 1e-6);
      }
      assertArrayEquals(want, moves(start, clipped, path), 1e-6, path);
    }
    Moved loose = step(new Sgd(1).clip(GradientClip.byNorm(2 * norm)));
    assertArrayEquals(moves(start, free, "/1/bias"), moves(start, loose, "/1/bias"), 0);
  }

  /** In an own loop as in a train cell, which never has the gradients of frozen parameters. */
  @Test
  void frozenParametersCountForNothingInAClip() {
    Optimizer clipped =
        new Sgd(1).groups(ParameterGroup.of("/0/**").frozen()).clip(GradientClip.byNorm(0.25));
    Cell net = network();
    Recipe own =
        (step, inputs) -> {
          Tensor loss = step.forward(net, inputs.toArray(Tensor[]::new));
          step.applyGradients(clipped, step.unscaledGradients(loss));
          return loss;
        };
    Moved standard = step(clipped);
    Moved byHand = step(clipped, own, net);
    assertEquals(standard.result().gradientNorm(), byHand.result().gradientNorm());
    for (String path : List.of("/0/weight", "/1/weight", "/1/bias")) {
      assertArrayEquals(
          standard.values().get(parameter(path)), byHand.values().get(parameter(path)), 0, path);
    }
  }

  @Test
  void aClipByValueBoundsEachElement() {
    Moved start = step(new Sgd(0));
    double[] free = moves(start, step(new Sgd(1)), "/1/weight");
    double[] bounded =
        moves(start, step(new Sgd(1).clip(GradientClip.byValue(0.125))), "/1/weight");
    for (int i = 0; i < free.length; i++) {
      assertEquals(Math.max(-0.125, Math.min(0.125, free[i])), bounded[i], 1e-6);
    }
  }

  @Test
  void theSameParameterGivenTwiceIsNamed() {
    Cell net = network();
    Momentum other = new Momentum(0.1, 0.9);
    Recipe twice =
        (step, inputs) -> {
          Tensor loss = step.forward(net, inputs.toArray(Tensor[]::new));
          Map<Variable, Tensor> gradients = step.unscaledGradients(loss);
          step.applyGradients(other, gradients);
          step.applyGradients(new Sgd(0.1), gradients);
          return loss;
        };
    UsageException e = assertThrows(UsageException.class, () -> step(other, twice, net));
    assertEquals("applyGradients", e.problem().subject());
    assertEquals("/0/weight", e.problem().where());
  }
}
