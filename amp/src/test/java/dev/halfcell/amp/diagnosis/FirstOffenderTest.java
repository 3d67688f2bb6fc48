package dev.halfcell.amp.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Dropout;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Direction;
import dev.halfcell.op.precision.FixedScale;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Execution;
import dev.halfcell.train.OverflowPolicy;
import dev.halfcell.train.PrecisionRules;
import dev.halfcell.train.Recipe;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainLoop;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.TrainStep;
import dev.halfcell.train.diagnosis.Census;
import dev.halfcell.train.diagnosis.Offender;
import dev.halfcell.train.diagnosis.Trap;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FirstOffenderTest {
  private static final Execution PLAIN = new Execution.Planned(PlanOptions.PLAIN);
  private static final TensorSpec SQUARE = TensorSpec.of(DType.FP32, 16, 16);

  private final TensorScope scope = TensorScope.open();

  @AfterEach
  void close() {
    scope.close();
  }

  private static AmpOptions watched(Diagnosis diagnosis) {
    return AmpOptions.defaults()
        .backend(new ReferenceBackend())
        .execution(PLAIN)
        .diagnosis(diagnosis);
  }

  private static TrainStepCell squares(AmpOptions options) {
    return Amp.buildTrainNetwork(
        new Squares(), new SoftmaxCrossEntropyLoss(), new Sgd(0.1), Level.O2, options);
  }

  /** All ones: the gradient of the loss by its output is 0.1328125 times the scale. */
  private static TrainStepCell ones(double scale, AmpOptions options) {
    Initializer one = new Initializer.Constant(1);
    return Amp.buildTrainNetwork(
        new Dense(16, 16, one, one),
        new MSELoss(),
        new Sgd(1),
        Level.O2,
        options.lossScale(LossScale.dynamic().from(scale)));
  }

  private Tensor filled(double value) {
    double[] values = new double[256];
    Arrays.fill(values, value);
    return Tensor.of(scope, SQUARE, values);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aForwardOverflowNamesItsCellOpAndDirection(boolean eager) {
    AmpOptions options = watched(Diagnosis.on());
    try (TrainStepCell train =
        squares(eager ? options.execution(new Execution.Eager()) : options)) {
      train.run(Squares.batch(scope, 0, 8));
      StepResult result = train.run(Squares.batch(scope, 1, 8));
      assertTrue(result.overflow());
      Offender offender = result.firstOffender().orElseThrow();
      assertEquals(Squares.SQUARE, offender.path());
      assertEquals("Mul", offender.op());
      assertEquals(Direction.FORWARD, offender.direction());
      assertEquals(TensorSpec.of(DType.FP16, 8, 8), offender.spec());
      assertEquals(Census.Kind.INFINITE, offender.values().kind());
      assertEquals(2, offender.step());
      assertEquals(
          "Mul at /square, forward, step 2: fp16[8, 8] with Inf: 100.0 % not finite,"
              + " 0.0 % zeros, 0.0 % subnormal, none finite",
          offender.text());
    }
  }

  /** At the next scale, 2^18, all would be finite. */
  @Test
  void aBackwardOverflowIsLookedForAtTheScaleOfItsStep() {
    try (TrainStepCell train = ones(0x1p19, watched(Diagnosis.on()))) {
      StepResult result = train.run(filled(1), filled(0));
      assertEquals(0x1p18, result.nextScale());
      Offender offender = result.firstOffender().orElseThrow();
      assertEquals(Direction.BACKWARD, offender.direction());
      assertEquals(DType.FP16, offender.spec().dtype());
      StepResult applied = train.run(filled(1), filled(0));
      assertTrue(applied.applied());
      assertEquals(Optional.empty(), applied.firstOffender());
    }
  }

  /** The offender is that of the first try, though the last one was applied. */
  @Test
  void aBatchThatIsTriedAgainKeepsTheOffenderOfItsFirstTry() {
    AmpOptions retry = watched(Diagnosis.on()).overflowPolicy(OverflowPolicy.retrySameBatch(5));
    try (TrainStepCell train = ones(0x1p20, retry)) {
      StepResult result = train.run(filled(1), filled(0));
      assertTrue(result.applied());
      assertEquals(3, result.tries());
      assertEquals(1, result.firstOffender().orElseThrow().step());
      assertEquals(Optional.empty(), train.run(filled(1), filled(0)).firstOffender());
    }
  }

  @Test
  void nobodySearchesUnlessAsked() {
    try (TrainStepCell train = squares(watched(Diagnosis.off()))) {
      StepResult result = train.run(Squares.batch(scope, 0, 8));
      assertTrue(result.overflow());
      assertEquals(Optional.empty(), result.firstOffender());
    }
  }

  @Test
  void theSearchMovesNothing() {
    try (TrainStepCell train = squares(watched(Diagnosis.on()))) {
      Batch batch = Squares.batch(scope, 0, 8);
      Map<Variable, Tensor> before = train.state().snapshot(scope);
      assertTrue(train.loop().firstOffender(batch, 4).isPresent());
      train
          .state()
          .values()
          .forEach(
              (v, t) -> assertTrue(t.sameBits(Objects.requireNonNull(before.get(v))), v::toString));
    }
  }

  @Test
  void anInputThatIsNotFiniteIsNamedBeforeAnyOp() {
    try (TrainStepCell train = ones(1, watched(Diagnosis.on()))) {
      Tensor label = filled(0);
      Elements.set(label.data(), DType.FP32, 3, Double.NaN);
      Offender offender = train.run(filled(1), label).firstOffender().orElseThrow();
      assertEquals("input at (batch)/1, forward", offender.where());
      assertEquals(Census.Kind.NAN, offender.values().kind());
    }
  }

  @Test
  void aParameterThatIsNotFiniteIsNamedWhereItIsRead() {
    try (TrainStepCell train = ones(1, watched(Diagnosis.on()))) {
      Variable bias = new Variable(Variable.Kind.PARAMETER, new CellPath("/bias"));
      Elements.set(train.state().read(bias).data(), DType.FP32, 0, Double.POSITIVE_INFINITY);
      Offender offender = train.run(filled(1), filled(0)).firstOffender().orElseThrow();
      assertEquals("parameter at /bias, forward", offender.where());
    }
  }

  /** Which values are dropped follows from the numbers of the samples. */
  @Test
  void theSearchDrawsTheSameRandomNumbers() {
    Cell net = new Sequential(new Dropout(0.5), new Squares());
    try (TrainStepCell train =
        Amp.buildTrainNetwork(
            net, new SoftmaxCrossEntropyLoss(), new Sgd(0.1), Level.O2, watched(Diagnosis.on()))) {
      Batch batch = Squares.batch(scope, 0, 8);
      Batch later = new Batch(batch.inputs(), Squares.batch(scope, 1, 8).samples());
      Census first = train.run(batch).firstOffender().orElseThrow().values();
      assertTrue(first.zeros() > 0 && first.infinities() > 0, first::text);
      assertEquals(first, train.run(batch).firstOffender().orElseThrow().values());
      assertNotEquals(first, train.run(later).firstOffender().orElseThrow().values());
    }
  }

  @Test
  void aWindowNamesTheFirstOffenderOfItsMicroBatches() {
    try (TrainStepCell train = ones(1, watched(Diagnosis.on()).accumulation(2))) {
      Tensor bad = filled(1e5);
      StepResult micro = train.run(bad, filled(0));
      assertEquals("Cast at /, forward", micro.firstOffender().orElseThrow().where());
      StepResult step = train.run(filled(1), filled(0));
      assertFalse(step.applied());
      assertEquals("Cast at /, forward", step.firstOffender().orElseThrow().where());
      train.run(filled(1), filled(0));
      assertEquals(Optional.empty(), train.run(filled(1), filled(0)).firstOffender());
    }
  }

  /** What an own recipe does with gradients belongs to the update. */
  @Test
  void anOverflowAfterTheBackwardPassIsOneOfTheUpdate() {
    Cell net = new WithLossCell(new Dense(16, 16), new MSELoss());
    Sgd optimizer = new Sgd(1);
    Recipe recipe =
        (step, inputs) -> {
          Tensor loss = step.forward(net, inputs.toArray(Tensor[]::new));
          Map<Variable, Tensor> gradients = step.unscaledGradients(loss);
          gradients.replaceAll((_, g) -> step.gradientOps().affine(g, 1e38, 1e38));
          gradients.replaceAll((_, g) -> step.gradientOps().affine(g, 1e38, 0));
          step.applyGradients(optimizer, gradients);
          return loss;
        };
    try (TrainState state = TrainState.of(net, optimizer, 7);
        TrainLoop loop =
            new TrainLoop(
                new TrainStep(net, PrecisionRules.none(), LossScale.none(), recipe),
                state,
                new ReferenceBackend(),
                PLAIN)) {
      Batch batch =
          new Batch(List.of(filled(1), filled(0)), scope.allocate(TensorSpec.of(DType.INT64, 16)));
      assertEquals("Affine at (step), update", loop.firstOffender(batch, 1).orElseThrow().where());
    }
  }

  @Test
  void aWatchedExceptionEndsTrainingAtTheOpThatRaisesItAndMovesNothing() {
    AmpOptions options = watched(Diagnosis.off().stoppingAt(Trap.OFLO));
    try (TrainStepCell train = squares(options)) {
      assertEquals(new Execution.Eager(Set.of(Trap.OFLO)), train.loop().execution());
      Map<Variable, Tensor> before = train.state().snapshot(scope);
      NonFiniteException e =
          assertThrows(NonFiniteException.class, () -> train.run(Squares.batch(scope, 0, 8)));
      assertEquals("OFLO", e.problem().subject());
      assertEquals("Mul at /square, forward", e.problem().where());
      train
          .state()
          .values()
          .forEach(
              (v, t) -> assertTrue(t.sameBits(Objects.requireNonNull(before.get(v))), v::toString));
    }
    try (TrainStepCell train = squares(watched(Diagnosis.off().stoppingAt(Trap.DIV0)))) {
      assertTrue(train.run(Squares.batch(scope, 0, 8)).overflow());
    }
  }

  @Test
  void noExceptionToStopAtIsRefused() {
    assertThrows(ArgumentException.class, () -> Diagnosis.on().stoppingAt());
  }

  @Test
  void aScaleThatAppliesOverflowsLeavesNothingToSearch() {
    AmpOptions options = watched(Diagnosis.on()).lossScale(new FixedScale(8, false));
    ArgumentException e = assertThrows(ArgumentException.class, () -> squares(options).close());
    assertEquals("diagnosis", e.problem().subject());
  }
}
