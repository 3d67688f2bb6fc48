package dev.halfcell.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A step whose gradient is multiplied by the third input of the batch, so that it can be made
 * infinite while the loss is finite, or whose loss is multiplied by the fourth.
 */
class StepRulesTest {
  /** What is not finite in a batch. */
  enum Bad {
    NOTHING,
    GRADIENT,
    LOSS_ALONE,
    DATA
  }

  private static final Execution PLAIN = new Execution.Planned(PlanOptions.PLAIN);
  private static final Cell NET = new WithLossCell(new Dense(2, 2), new MSELoss());
  private static final Sgd SGD = new Sgd(0.125);

  private final TensorScope scope = TensorScope.open();
  private final TrainState state = TrainState.of(NET, SGD, 1);

  @AfterEach
  void close() {
    state.close();
    scope.close();
  }

  private TrainLoop loop(LossScale scale, UnaryOperator<StepRules> rules, Execution execution) {
    return loop(scale, rules.apply(StepRules.defaults()), execution);
  }

  private TrainLoop loop(LossScale scale, StepRules rules, Execution execution) {
    Recipe recipe =
        (step, in) -> {
          Tensor loss = step.forward(NET, in.get(0), in.get(1));
          Map<Variable, Tensor> gradients = step.unscaledGradients(loss);
          gradients.replaceAll((_, g) -> step.gradientOps().mul(g, in.get(2)));
          step.applyGradients(SGD, gradients);
          return step.gradientOps().mul(loss, in.get(3));
        };
    TrainStep step =
        new TrainStep(NET, PrecisionRules.none(), scale, recipe, Accumulation.none(), rules);
    return new TrainLoop(step, state, new ReferenceBackend(), execution);
  }

  private TrainLoop loop(LossScale scale, UnaryOperator<StepRules> rules) {
    return loop(scale, rules, PLAIN);
  }

  private Batch batch(Bad bad) {
    double inf = Double.POSITIVE_INFINITY;
    TensorSpec square = TensorSpec.of(DType.FP32, 2, 2);
    return new Batch(
        List.of(
            Tensor.of(scope, square, bad == Bad.DATA ? inf : 1, 2, 3, 4),
            Tensor.of(scope, square, 1, 0, 0, 1),
            Tensor.scalar(scope, DType.FP32, bad == Bad.GRADIENT ? inf : 1),
            Tensor.scalar(scope, DType.FP32, bad == Bad.LOSS_ALONE ? inf : 1)),
        Tensor.of(scope, TensorSpec.of(DType.INT64, 2), 5, 6));
  }

  private double counter(Variable variable) {
    return state.read(variable).item();
  }

  private Problem ended(TrainLoop loop, Bad bad) {
    return assertThrows(NonFiniteException.class, () -> loop.step(batch(bad))).problem();
  }

  @Test
  void aLossThatIsNotFiniteRefusesTheStepThoughGradientsAreFinite() {
    try (TrainLoop loop = loop(LossScale.dynamic(), UnaryOperator.identity())) {
      StepResult refused = loop.step(batch(Bad.LOSS_ALONE));
      assertTrue(refused.overflow() && !refused.applied() && !refused.lossFinite());
      assertTrue(Double.isFinite(refused.gradientNorm()));
      assertEquals(0x1p15, refused.nextScale());
    }
  }

  @ParameterizedTest
  @EnumSource(Bad.class)
  void aLossThatIsNotFiniteIsAppliedAndReportedWhereItDoesNotCount(Bad bad) {
    try (TrainLoop loop = loop(LossScale.dynamic(), rules -> rules.nanLossIsOverflow(false))) {
      StepResult result = loop.step(batch(bad));
      boolean applied = bad == Bad.NOTHING || bad == Bad.LOSS_ALONE;
      assertEquals(applied, result.applied());
      assertEquals(!applied, result.overflow());
      assertEquals(bad == Bad.NOTHING || bad == Bad.GRADIENT, result.lossFinite());
    }
  }

  @Test
  void soManyRefusedStepsInARowEndTheTrainingWithADiagnosis() {
    try (TrainLoop loop = loop(LossScale.dynamic(), rules -> rules.maxConsecutiveOverflows(2))) {
      loop.step(batch(Bad.GRADIENT));
      loop.step(batch(Bad.GRADIENT));
      loop.step(batch(Bad.NOTHING));
      loop.step(batch(Bad.GRADIENT));
      loop.step(batch(Bad.GRADIENT));
      assertEquals(2, counter(Variable.refused()));
      Problem problem = ended(loop, Bad.GRADIENT);
      assertEquals("step 6", problem.where());
      assertTrue(problem.got().contains("scale 4096.0 (maxConsecutiveOverflows: 3 steps refused"));
      assertTrue(problem.got().contains("first: input at (batch)/2, forward, step 6"));
      assertTrue(problem.fix().contains("fp32"), problem.fix());
    }
  }

  @Test
  void theCountOfRefusedStepsIsInCheckpoints() throws IOException {
    Path file = Files.createTempFile("refused", ".safetensors");
    UnaryOperator<StepRules> two = rules -> rules.maxConsecutiveOverflows(2);
    try (TrainLoop loop = loop(LossScale.dynamic(), two)) {
      loop.step(batch(Bad.GRADIENT));
      loop.step(batch(Bad.GRADIENT));
      Checkpoint.write(state, file);
      loop.step(batch(Bad.NOTHING));
      assertEquals(0, counter(Variable.refused()));
      Checkpoint.read(state, file);
      ended(loop, Bad.GRADIENT);
    } finally {
      Files.delete(file);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Bad.class,
      names = {"GRADIENT", "LOSS_ALONE", "DATA"})
  void stepsThatNoLowerScaleSavesEndTheTrainingSooner(Bad bad) {
    LossScale scale = bad == Bad.GRADIENT ? LossScale.fixed(8) : LossScale.dynamic();
    try (TrainLoop loop = loop(scale, rules -> rules.maxHopelessSteps(4))) {
      for (int i = 0; i < 3; i++) {
        loop.step(batch(bad));
      }
      assertEquals(3, counter(Variable.hopeless()));
      assertTrue(ended(loop, bad).got().contains("maxHopelessSteps: 4 steps"));
    }
  }

  @Test
  void aFallingScaleIsHopeUntilItStandsAtItsFloor() {
    LossScale floor = LossScale.dynamic(4, 2, 0.5, 2000, 1, 4, 1);
    try (TrainLoop loop = loop(floor, rules -> rules.maxHopelessSteps(2))) {
      loop.step(batch(Bad.GRADIENT));
      loop.step(batch(Bad.GRADIENT));
      assertEquals(0, counter(Variable.hopeless()));
      loop.step(batch(Bad.GRADIENT));
      ended(loop, Bad.GRADIENT);
    }
  }

  @Test
  void thePolicyFailEndsTheTrainingAtOnceAndNamesTheFirstOffender() {
    UnaryOperator<StepRules> fail = rules -> rules.overflow(OverflowPolicy.fail());
    for (Execution execution : List.of(PLAIN, new Execution.Eager())) {
      try (TrainLoop loop = loop(LossScale.fixed(8), fail, execution)) {
        assertTrue(loop.step(batch(Bad.NOTHING)).applied());
        Map<Variable, Tensor> before = state.snapshot(scope);
        Problem problem = ended(loop, Bad.DATA);
        assertTrue(problem.got().contains("the overflow policy is fail"), problem.got());
        assertTrue(problem.got().contains("first: input at (batch)/0"), problem.got());
        before.forEach(
            (variable, value) ->
                assertTrue(
                    !variable.guarded() || value.sameBits(state.read(variable)),
                    variable.toString()));
      }
    }
  }

  @Test
  void aLossThatIsNotFiniteIsNotTriedAgain() {
    UnaryOperator<StepRules> retry = rules -> rules.overflow(OverflowPolicy.retrySameBatch(3));
    try (TrainLoop loop = loop(LossScale.dynamic(), retry)) {
      assertEquals(1, loop.step(batch(Bad.DATA)).tries());
      StepResult left = loop.step(batch(Bad.GRADIENT));
      assertEquals(4, left.tries());
      assertFalse(left.applied());
      assertEquals(0x1p16 / 32, left.nextScale());
      assertEquals(1, loop.step(batch(Bad.NOTHING)).tries());
    }
  }

  @Test
  void retryIsRefusedWhereItCannotHelp() {
    StepRules retry = StepRules.defaults().overflow(OverflowPolicy.retrySameBatch(1));
    for (LossScale still : List.of(LossScale.none(), LossScale.fixed(8))) {
      ArgumentException e =
          assertThrows(ArgumentException.class, () -> loop(still, retry, PLAIN).close());
      assertEquals("a loss scale that falls", e.problem().expected());
    }
    ArgumentException window =
        assertThrows(
            ArgumentException.class,
            () ->
                new TrainStep(
                    NET,
                    PrecisionRules.none(),
                    LossScale.dynamic(),
                    Recipe.standard(NET, SGD),
                    Accumulation.of(2),
                    retry));
    assertTrue(window.problem().fix().contains("DROP_MICRO_BATCH"));
  }

  @Test
  void limitsBelowOneAreRefused() {
    StepRules rules = StepRules.defaults();
    assertThrows(ArgumentException.class, () -> rules.maxConsecutiveOverflows(0));
    assertThrows(ArgumentException.class, () -> rules.maxHopelessSteps(0));
    assertThrows(ArgumentException.class, () -> OverflowPolicy.retrySameBatch(0));
  }

  @Test
  void anExplicitScaleCountsForThatStepAlone() {
    for (Execution execution : List.of(PLAIN, new Execution.Eager())) {
      try (TrainLoop loop = loop(LossScale.dynamic(), UnaryOperator.identity(), execution)) {
        loop.step(batch(Bad.NOTHING));
        double scale = counter(Variable.scale());
        double clean = counter(Variable.cleanSteps());
        StepResult applied = loop.step(batch(Bad.NOTHING), 32);
        assertTrue(applied.applied());
        assertEquals(32, applied.usedScale());
        assertEquals(scale, applied.nextScale());
        StepResult refused = loop.step(batch(Bad.GRADIENT), 64);
        assertTrue(refused.overflow() && !refused.applied());
        assertEquals(scale, refused.nextScale());
        assertEquals(clean, counter(Variable.cleanSteps()));
        assertEquals(1, counter(Variable.refused()));
        assertEquals(scale / 2, loop.step(batch(Bad.GRADIENT)).nextScale());
      }
    }
  }

  @Test
  void anExplicitScaleHasToBeOneAndBelongsToNoWindowAndNoRetry() {
    try (TrainLoop loop = loop(LossScale.dynamic(), UnaryOperator.identity())) {
      assertThrows(ArgumentException.class, () -> loop.step(batch(Bad.NOTHING), 0));
      assertThrows(ArgumentException.class, () -> loop.step(batch(Bad.NOTHING), Double.NaN));
    }
    UnaryOperator<StepRules> retry = rules -> rules.overflow(OverflowPolicy.retrySameBatch(3));
    try (TrainLoop loop = loop(LossScale.dynamic(), retry)) {
      assertThrows(UsageException.class, () -> loop.step(batch(Bad.NOTHING), 8));
    }
    TrainStep windowed =
        new TrainStep(
            NET,
            PrecisionRules.none(),
            LossScale.dynamic(),
            Recipe.standard(NET, SGD),
            Accumulation.of(2));
    try (TrainLoop loop = new TrainLoop(windowed, state, new ReferenceBackend(), PLAIN)) {
      assertThrows(UsageException.class, () -> loop.step(batch(Bad.NOTHING), 8));
    }
  }

  /** The micro-batch that was not finite is gone when its window ends the training. */
  @Test
  void aWindowThatEndsTheTrainingNamesTheMicroBatchThatDidIt() {
    TrainStep windowed =
        new TrainStep(
            NET,
            PrecisionRules.none(),
            LossScale.dynamic(),
            Recipe.standard(NET, SGD),
            Accumulation.of(2),
            StepRules.defaults().maxConsecutiveOverflows(1));
    Batch bad = standard(batch(Bad.DATA));
    Batch good = standard(batch(Bad.NOTHING));
    try (TrainLoop loop = new TrainLoop(windowed, state, new ReferenceBackend(), PLAIN)) {
      loop.step(good);
      loop.step(bad);
      loop.step(bad);
      Problem problem = assertThrows(NonFiniteException.class, () -> loop.step(good)).problem();
      assertTrue(problem.got().contains("first: input at (batch)/0"), problem.got());
      assertEquals(0, loop.microBatches());
    }
  }

  private static Batch standard(Batch batch) {
    return new Batch(batch.inputs().subList(0, 2), batch.samples());
  }

  /** Each overflow that hysteresis tolerates leaves the scale where it was. */
  @Test
  void aHysteresisBeyondTheHopelessStepsIsAContradiction() {
    LossScale patient = LossScale.dynamic().hysteresis(26);
    ArgumentException e =
        assertThrows(ArgumentException.class, () -> stepBy(patient, StepRules.defaults()));
    assertEquals("maxHopelessSteps", e.problem().subject());
    stepBy(patient, StepRules.defaults().maxHopelessSteps(26));
    stepBy(LossScale.dynamic().hysteresis(25), StepRules.defaults());
  }

  private static TrainStep stepBy(LossScale scale, StepRules rules) {
    Cell net = new Dense(1, 1);
    Recipe recipe = Recipe.standard(net, new Sgd(1));
    return new TrainStep(net, PrecisionRules.none(), scale, recipe, Accumulation.none(), rules);
  }
}
