package dev.halfcell.amp.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Decision;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.amp.precision.Reason;
import dev.halfcell.amp.precision.Treatment;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Direction;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Accumulation;
import dev.halfcell.train.Checkpoint;
import dev.halfcell.train.Execution;
import dev.halfcell.train.Inference;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.Weights;
import dev.halfcell.train.diagnosis.Offender;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemotionTest {
  private static final Momentum OPTIMIZER = new Momentum(0.02, 0.9);

  private final TensorScope scope = TensorScope.open();

  @TempDir private Path folder;

  @AfterEach
  void close() {
    scope.close();
  }

  private static AmpOptions options() {
    return AmpOptions.defaults()
        .backend(new ReferenceBackend())
        .execution(new Execution.Planned(PlanOptions.PLAIN));
  }

  private static TrainStepCell squares(Level level, AmpOptions options) {
    return Amp.buildTrainNetwork(
        new Squares(), new SoftmaxCrossEntropyLoss(), OPTIMIZER, level, options);
  }

  private void steps(TrainStepCell train, int from, int to) {
    for (int i = from; i < to; i++) {
      try (TensorScope once = TensorScope.open()) {
        train.run(Squares.batch(once, i, 16));
      }
    }
  }

  private static Map<CellPath, Decision> changed(PrecisionPlan from, PrecisionPlan to) {
    Map<CellPath, Decision> changed = new LinkedHashMap<>(to.cells());
    changed.entrySet().removeIf(entry -> entry.getValue().equals(from.cells().get(entry.getKey())));
    return changed;
  }

  private static double accuracy(TrainStepCell train) {
    int right = 0;
    try (Inference inference = train.inference();
        TensorScope scope = TensorScope.open()) {
      Batch unseen = Squares.batch(scope, 9999, 1000);
      Tensor logits = inference.run(unseen.inputs().getFirst());
      for (int n = 0; n < 1000; n++) {
        double[] row = {
          logits.at(4L * n), logits.at(4L * n + 1), logits.at(4L * n + 2), logits.at(4L * n + 3)
        };
        right += row[n % 4] == Arrays.stream(row).max().orElseThrow() ? 1 : 0;
      }
    }
    return right / 10.0;
  }

  @Test
  void aCellThatOverflowsInTheForwardIsDemotedAndTrainingEndsWhereO0Does() {
    try (TrainStepCell full = squares(Level.O0, options());
        TrainStepCell stuck = squares(Level.O2, options());
        TrainStepCell train = squares(Level.O2, options().demotion(3, 200))) {
      PrecisionPlan before = train.plan();
      steps(full, 0, 120);
      steps(stuck, 0, 20);
      steps(train, 0, 3);
      assertEquals(0, train.state().read(Variable.applied()).item());
      Map<CellPath, Decision> changed = changed(before, train.plan());
      assertEquals(Set.of(Squares.SQUARE), changed.keySet());
      Decision decision = train.plan().cells().get(Squares.SQUARE);
      assertEquals(
          new Reason.Demoted("Mul", Direction.FORWARD, 3, 3),
          Objects.requireNonNull(decision).because());
      assertTrue(
          train
              .plan()
              .explain()
              .contains("demoted at step 3: Mul, forward, first not finite in 3 steps"),
          train.plan()::explain);
      steps(train, 3, 120);
      assertEquals(117, train.state().read(Variable.applied()).item());
      assertEquals(changed, changed(before, train.plan()));
      assertEquals(0, stuck.state().read(Variable.applied()).item(), "without it nothing moves");
      double exact = accuracy(full);
      assertTrue(exact > 90, "O0 learns: " + exact);
      assertEquals(exact, accuracy(train), 0.5);
    }
  }

  /** Before it runs again, and what it computes is what a new one computes. */
  @Test
  void anInferenceTracesACellAsItIsSinceItsDemotion() {
    try (TrainStepCell train = squares(Level.O2, options().demotion(3, 200));
        Inference inference = train.inference()) {
      List<TensorSpec> data = List.of(TensorSpec.of(DType.FP32, 4, 8));
      List<TensorSpec> before = inference.trace(data).slots();
      steps(train, 0, 3);
      List<TensorSpec> demoted = inference.trace(data).slots();
      assertNotEquals(before, demoted);
      try (Inference fresh = train.inference()) {
        assertEquals(fresh.trace(data).slots(), demoted);
      }
    }
  }

  @Test
  void offencesThatAreTooFarApartDoNotDemote() {
    try (TrainStepCell train = squares(Level.O2, options().demotion(2, 3))) {
      PrecisionPlan before = train.plan();
      train.run(Squares.batch(scope, 0, 8));
      Batch small = scaled(0.1);
      for (int i = 0; i < 3; i++) {
        assertTrue(train.run(small).applied());
      }
      train.run(Squares.batch(scope, 1, 8)); // step 5, and step 1 is 4 steps back
      assertEquals(before, train.plan());
      train.run(small);
      train.run(Squares.batch(scope, 2, 8)); // steps 5 and 7 are among 3
      assertNotEquals(before, train.plan());
    }
  }

  private Batch scaled(double by) {
    Batch batch = Squares.batch(scope, 0, 8);
    double[] x = batch.inputs().getFirst().toArray();
    return new Batch(
        List.of(
            Tensor.of(
                scope,
                batch.inputs().getFirst().spec(),
                Arrays.stream(x).map(value -> by * value).toArray()),
            batch.inputs().getLast()),
        batch.samples());
  }

  private Tensor filled(double value) {
    double[] values = new double[256];
    Arrays.fill(values, value);
    return Tensor.of(scope, TensorSpec.of(DType.FP32, 16, 16), values);
  }

  /** Else such a cell would cost every window a part of it, and for ever. */
  @Test
  void aMicroBatchThatItsWindowDropsIsCounted() {
    Accumulation drop = new Accumulation(2, Accumulation.OnOverflow.DROP_MICRO_BATCH);
    try (TrainStepCell train = squares(Level.O2, options().demotion(2, 9).accumulation(drop))) {
      Batch small = scaled(0.1);
      for (int window = 0; window < 2; window++) {
        assertEquals(Treatment.HALF, train.plan().treatment(Squares.SQUARE));
        train.run(Squares.batch(scope, window, 8));
        StepResult result = train.run(small);
        assertTrue(result.applied(), result::toString);
        assertEquals(Squares.SQUARE, result.firstOffender().orElseThrow().path());
      }
      assertEquals(Treatment.FULL, train.plan().treatment(Squares.SQUARE));
    }
  }

  /** From 2^24 the scale falls six times: that is how it is found, and nothing is wrong. */
  @Test
  void theFallsOfAHighScaleAreNotCounted() {
    AmpOptions options = options().demotion(1, 1).lossScale(LossScale.dynamic().from(0x1p24));
    try (TrainStepCell train = ones(options)) {
      PrecisionPlan before = train.plan();
      for (int i = 0; i < 6; i++) {
        StepResult result = train.run(filled(1), filled(0));
        assertEquals(Direction.BACKWARD, result.firstOffender().orElseThrow().direction());
      }
      assertTrue(train.run(filled(1), filled(0)).applied());
      assertEquals(before, train.plan());
    }
  }

  /** A scale that waits for a second overflow before it falls is not at its floor. */
  @Test
  void aScaleThatWaitsBeforeItFallsIsNotAtItsFloor() {
    LossScale waits = LossScale.dynamic().from(0x1p20).hysteresis(2);
    try (TrainStepCell train = ones(options().demotion(1, 1).lossScale(waits))) {
      PrecisionPlan before = train.plan();
      StepResult first = train.run(filled(1), filled(0));
      assertEquals(first.usedScale(), first.nextScale());
      assertEquals(before, train.plan());
    }
  }

  @Test
  void aBackwardOverflowCountsWhereTheScaleCannotFall() {
    try (TrainStepCell train = ones(options().demotion(2, 9).lossScale(LossScale.fixed(0x1p20)))) {
      train.run(filled(1), filled(0));
      train.run(filled(1), filled(0));
      assertEquals(Treatment.FULL, train.plan().treatment(CellPath.ROOT), train.plan()::explain);
      assertTrue(train.run(filled(1), filled(0)).applied());
    }
  }

  /** The cast at the root, or of a cell in FP32, is of what the cell before it yielded in half. */
  @Test
  void aGradientThatIsRoundedIsOfTheCellThatYieldedInHalf() {
    var one = new Initializer.Constant(1);
    Cell net = new Sequential(new Dense(16, 16, one, one), new Dense(16, 16, one, one));
    AmpOptions options = options().demotion(1, 1).lossScale(LossScale.fixed(0x1p20));
    try (TrainStepCell train =
        Amp.buildTrainNetwork(net, new MSELoss(), new Sgd(1e-9), Level.O2, options)) {
      Offender last = train.run(filled(1), filled(0)).firstOffender().orElseThrow();
      assertEquals("Cast at /1, backward", last.where());
      assertEquals(Treatment.FULL, train.plan().treatment(new CellPath("/1")));
      assertEquals(Treatment.HALF, train.plan().treatment(CellPath.ROOT));
      Offender before = train.run(filled(1), filled(0)).firstOffender().orElseThrow();
      assertEquals("Cast at /0, backward", before.where());
      assertTrue(train.run(filled(1), filled(0)).applied());
    }
  }

  private static TrainStepCell ones(AmpOptions options) {
    var one = new Initializer.Constant(1);
    return Amp.buildTrainNetwork(
        new Dense(16, 16, one, one), new MSELoss(), new Sgd(1e-3), Level.O2, options);
  }

  @Test
  void aCheckpointHoldsCountsAndDecisionsAndGoesOnToTheSameBits() {
    Path counted = folder.resolve("counted.safetensors");
    Path decided = folder.resolve("decided.safetensors");
    AmpOptions options = options().demotion(3, 200);
    try (TrainStepCell first = squares(Level.O2, options);
        TrainStepCell second = squares(Level.O2, options)) {
      steps(first, 0, 2);
      Checkpoint.write(first.state(), counted);
      steps(first, 2, 6);
      Checkpoint.write(first.state(), decided);
      Checkpoint.read(second.state(), counted);
      assertEquals(Treatment.HALF, second.plan().treatment(Squares.SQUARE));
      steps(second, 2, 8);
      assertEquals(first.plan(), second.plan());
      Checkpoint.read(second.state(), decided);
      assertEquals(first.plan(), second.plan());
      steps(first, 6, 9);
      steps(second, 6, 9);
      first
          .state()
          .values()
          .forEach((v, t) -> assertTrue(t.sameBits(second.state().read(v)), v::toString));
      Checkpoint.read(second.state(), counted);
      assertEquals(Treatment.HALF, second.plan().treatment(Squares.SQUARE));
      assertTrue(second.run(Squares.batch(scope, 2, 8)).overflow(), "the plan of half is back");
    }
  }

  @Test
  void aCellOfANetworkThatBringsItsOwnPrecisionIsDemotedToo() {
    Cell net = new Sequential(Amp.autoMixedPrecision(new Squares(), Level.O2));
    CellPath square = new CellPath("/0/square");
    try (TrainStepCell train =
        Amp.buildTrainNetwork(
            net, new SoftmaxCrossEntropyLoss(), OPTIMIZER, Level.O0, options().demotion(1, 1))) {
      assertTrue(train.run(Squares.batch(scope, 0, 8)).overflow());
      assertEquals(Treatment.FULL, train.plan().treatment(square));
      assertTrue(train.run(Squares.batch(scope, 1, 8)).applied());
      double largest =
          train.underflow(Squares.batch(scope, 0, 8)).rows().stream()
              .mapToDouble(row -> row.exponents().nonFinite())
              .sum();
      assertEquals(0, largest, "in fp32 arithmetic nothing overflows");
    }
  }

  @Test
  void stepsThatShareAStateCountApart() {
    try (TrainStepCell first = squares(Level.O2, options().name("a").demotion(2, 9));
        TrainStepCell second =
            squares(Level.O2, options().name("b").demotion(2, 9).state(first.state()))) {
      steps(first, 0, 1);
      steps(second, 0, 2);
      assertEquals(Treatment.HALF, first.plan().treatment(Squares.SQUARE));
      assertEquals(Treatment.FULL, second.plan().treatment(Squares.SQUARE));
    }
  }

  @Test
  void weightsOfADemotedRunLoadAnywhere() {
    Path file = folder.resolve("weights.safetensors");
    try (TrainStepCell train = squares(Level.O2, options().demotion(1, 1));
        TrainStepCell full = squares(Level.O0, options())) {
      steps(train, 0, 3);
      Weights.write(train.state(), file);
      Weights.read(full.state(), file);
      Variable weight = new Variable(Variable.Kind.PARAMETER, new CellPath("/head/weight"));
      assertTrue(full.state().read(weight).sameBits(train.state().read(weight)));
    }
  }

  @Test
  void whatCannotBeMeantIsRefused() {
    assertThrows(ArgumentException.class, () -> new Demotion(0, 5));
    assertThrows(ArgumentException.class, () -> new Demotion(3, 2));
    ArgumentException nothing =
        assertThrows(
            ArgumentException.class, () -> squares(Level.O0, options().demotion(3, 200)).close());
    assertEquals("demotion", nothing.problem().subject());
    try (TrainStepCell other = squares(Level.O2, options().demotion(2, 200))) {
      AmpOptions same = options().demotion(3, 200).state(other.state());
      ArgumentException e =
          assertThrows(ArgumentException.class, () -> squares(Level.O2, same).close());
      assertEquals("(step)/demotions", e.problem().where());
    }
  }
}
