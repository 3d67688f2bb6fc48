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
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.Parameter;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trainings of one weight w with the loss w · x, whose gradient is x. */
class LossScaleStateTest {
  private static final double INF = Double.POSITIVE_INFINITY;
  private static final Execution PLAIN = new Execution.Planned(PlanOptions.PLAIN);
  private static final Variable WEIGHT =
      new Variable(Variable.Kind.PARAMETER, new CellPath("/weight"));
  private static final Cell NET = new Times();
  private static final Sgd SGD = new Sgd(0.25);
  private static final LossScale HIGH = LossScale.dynamic(0x1p127, 2, 0.5, 2000, 1, 0x1p127, 1);

  private final TensorScope scope = TensorScope.open();
  private final TrainState state = TrainState.of(NET, SGD, 1);

  @AfterEach
  void close() {
    state.close();
    scope.close();
  }

  private static final class Times extends Cell {
    private final Parameter weight = parameter("weight", new Initializer.Constant(1));

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.ops().mul(f.read(weight), f.only(in));
    }
  }

  private static TrainStep step(LossScale rule, int microBatches) {
    return new TrainStep(
        NET,
        PrecisionRules.none(),
        rule,
        Recipe.standard(NET, SGD),
        Accumulation.of(microBatches),
        StepRules.defaults().maxHopelessSteps(5000));
  }

  private static TrainLoop loop(LossScale rule, TrainState state) {
    return new TrainLoop(step(rule, 1), state, new ReferenceBackend(), PLAIN);
  }

  private TrainLoop loop(LossScale rule) {
    return loop(rule, state);
  }

  private StepResult step(TrainLoop loop, double x) {
    return loop.step(
        new Batch(
            List.of(Tensor.scalar(scope, DType.FP32, x)),
            scope.allocate(TensorSpec.of(DType.INT64, 1))));
  }

  private String ended(TrainLoop loop) {
    return assertThrows(NonFiniteException.class, () -> step(loop, INF)).problem().got();
  }

  @Test
  void deepSpeedsScaleEndsTheTrainingWhereItWouldFallBelowItsFloor() {
    try (TrainLoop loop = loop(LossScale.deepSpeed(2).from(2))) {
      assertEquals(2, step(loop, INF).nextScale());
      assertEquals(1, step(loop, INF).nextScale());
      assertTrue(step(loop, 1).applied());
      String got = ended(loop);
      assertTrue(got.contains("does not fall below its floor"), got);
    }
  }

  @Test
  void atItsFloorDeepSpeedStillAllowsTheOverflowsBeforeAFall() {
    try (TrainLoop loop = loop(LossScale.deepSpeed(3).from(1))) {
      step(loop, INF);
      step(loop, INF);
      ended(loop);
    }
  }

  @Test
  void aWindowEndsTheTrainingAtDeepSpeedsFloorToo() {
    LossScale rule = LossScale.deepSpeed(1).from(2);
    try (TrainLoop loop = new TrainLoop(step(rule, 2), state, new ReferenceBackend(), PLAIN)) {
      step(loop, INF);
      assertEquals(1, step(loop, 1).nextScale());
      step(loop, INF);
      assertThrows(NonFiniteException.class, () -> step(loop, 1));
    }
  }

  @Test
  void anExplicitScaleIsNotJudgedByTheScaleThatIsKept() {
    try (TrainLoop loop = loop(LossScale.deepSpeed(1).from(1))) {
      Batch bad =
          new Batch(
              List.of(Tensor.scalar(scope, DType.FP32, INF)),
              scope.allocate(TensorSpec.of(DType.INT64, 1)));
      assertTrue(loop.step(bad, 8).overflow());
      ended(loop);
    }
  }

  @Test
  void mindSporesScaleEndsTheTrainingAtThe1001stOverflowInARow() {
    try (TrainLoop loop = loop(LossScale.mindspore())) {
      step(loop, INF);
      step(loop, 1);
      for (int i = 0; i < 1000; i++) {
        assertTrue(step(loop, INF).overflow());
      }
      assertTrue(ended(loop).contains("1001 steps refused in a row"));
    }
  }

  @Test
  void aRulesOwnLimitHoldsWhereItIsTheLower() {
    LossScale two = LossScale.dynamic().habits(LossScale.dynamic().habits().mostOverflowsInARow(2));
    try (TrainLoop loop = loop(two)) {
      step(loop, INF);
      step(loop, INF);
      ended(loop);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aFixedScaleMayApplyWhatOverflowsAndReportIt(int microBatches) {
    LossScale applied = LossScale.fixed(8).dropOverflowUpdate(false);
    TrainStep step = step(applied, microBatches);
    try (TrainLoop loop = new TrainLoop(step, state, new ReferenceBackend(), PLAIN)) {
      StepResult result = step(loop, INF);
      for (int i = 1; i < microBatches; i++) {
        assertTrue(result.overflow() && !result.applied());
        result = step(loop, 1);
      }
      assertTrue(result.overflow() && result.applied());
      assertEquals(Double.NEGATIVE_INFINITY, state.read(WEIGHT).item());
      assertEquals(1, state.read(Variable.applied()).item());
      assertEquals(8, result.nextScale());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"deepspeed", "logmax"})
  void aCheckpointHoldsWhatTheRuleRemembers(String name, @TempDir Path folder) {
    LossScale rule = LossScale.named(name, DType.FP16);
    double[] steps = {1, INF, 0.5, INF, 3, 0.125, INF, 1};
    Path file = folder.resolve("run.safetensors");
    List<LossScale.State> straight = new ArrayList<>();
    try (TrainLoop loop = loop(rule)) {
      for (int i = 0; i < steps.length; i++) {
        if (i == 2) {
          Checkpoint.write(state, file);
        }
        step(loop, steps[i]);
        straight.add(ScaleVariables.read(state, rule));
      }
    }
    assertFalse(straight.getLast().words().isEmpty());
    try (TrainState again = TrainState.of(NET, SGD, 1);
        TrainLoop loop = loop(rule, again)) {
      Checkpoint.read(again, file);
      for (int i = 2; i < steps.length; i++) {
        step(loop, steps[i]);
        assertEquals(straight.get(i), ScaleVariables.read(again, rule), "step " + i);
      }
    }
  }

  @Test
  void aStateRemembersForOneKindOfRule() {
    try (TrainLoop first = loop(LossScale.deepSpeed(2))) {
      step(first, 1);
      assertEquals(1, state.read(Variable.scaleWords()).spec().dim(0));
      UsageException refused =
          assertThrows(UsageException.class, () -> loop(LossScale.logMax()).close());
      assertTrue(refused.problem().expected().contains("logmax"), refused.problem().expected());
    }
  }

  private static TrainLoop windows(LossScale rule, TrainState of) {
    return new TrainLoop(step(rule, 2), of, new ReferenceBackend(), PLAIN);
  }

  /** FP32 does not hold a gradient of 4 at a scale of 2¹²⁷. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aScaleThatNeverMovesCountsWhateverTheStateHolds(int microBatches) {
    LossScale fixed = LossScale.fixed(128);
    try (TrainLoop moving = loop(HIGH);
        TrainLoop still =
            new TrainLoop(step(fixed, microBatches), state, new ReferenceBackend(), PLAIN)) {
      assertEquals(128, still.lossScale());
      for (int i = 1; i < microBatches; i++) {
        assertEquals(128, step(still, 4).usedScale());
      }
      StepResult result = step(still, 4);
      assertTrue(result.applied(), result.toString());
      assertEquals(128, result.usedScale());
      assertEquals(128, result.nextScale());
      assertEquals(0, state.read(WEIGHT).item());
      assertEquals(0x1p127, moving.lossScale());
      assertEquals(0x1p127, step(moving, 1).usedScale());
      assertEquals(128, still.lossScale());
    }
  }

  @Test
  void aRefusedStepLeavesTheOtherScaleToo() {
    try (TrainLoop moving = loop(HIGH);
        TrainLoop still = loop(LossScale.none())) {
      assertFalse(step(still, INF).applied());
      assertEquals(0x1p127, moving.lossScale());
    }
  }

  @Test
  void aRunOfAMovingScaleGoesOnWithoutOneFromItsCheckpoint(@TempDir Path folder) {
    Path file = folder.resolve("run.safetensors");
    try (TrainLoop moving = loop(LossScale.dynamic().from(1024))) {
      step(moving, INF);
      Checkpoint.write(state, file);
    }
    try (TrainState again = TrainState.of(NET, SGD, 1);
        TrainLoop without = loop(LossScale.none(), again);
        TrainLoop moving = loop(LossScale.dynamic(), again)) {
      Checkpoint.read(again, file);
      StepResult result = step(without, 1);
      assertEquals(1, result.usedScale());
      assertEquals(1, result.nextScale());
      assertEquals(512, step(moving, 1).usedScale());
    }
  }

  /** What the window holds is multiplied by the scale with which it began. */
  @Test
  void aWindowEndsAtTheScaleWithWhichItBegan(@TempDir Path folder) {
    Path file = folder.resolve("run.safetensors");
    try (TrainLoop moving = windows(LossScale.dynamic().from(1024), state)) {
      step(moving, 1);
      Checkpoint.write(state, file);
    }
    try (TrainState again = TrainState.of(NET, SGD, 1);
        TrainLoop fixed = windows(LossScale.fixed(8), again)) {
      Checkpoint.read(again, file);
      StepResult result = step(fixed, 1);
      assertTrue(result.applied());
      assertEquals(1024, result.usedScale());
      assertEquals(8, result.nextScale());
      assertEquals(0.75, again.read(WEIGHT).item(), "by the mean gradient, 1");
      assertEquals(8, step(fixed, 1).usedScale());
      assertEquals(8, step(fixed, 1).usedScale());
      assertEquals(0.5, again.read(WEIGHT).item());
    }
  }

  @Test
  void aRuleThatRemembersNothingAddsNothingToTheState() {
    try (TrainLoop loop = loop(LossScale.dynamic())) {
      step(loop, 1);
      assertFalse(state.values().containsKey(Variable.scaleWords()));
    }
  }
}
