package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.Parameter;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.host.HostFunction;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.ParameterGroup;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.Execution;
import dev.halfcell.train.Inference;
import dev.halfcell.train.StepResult;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TrainStepCellTest {
  private static final Momentum OPTIMIZER =
      new Momentum(new Schedule.WarmUp(5, new Schedule.Constant(0.1)), 0.9, false, 1e-4);
  private static final Execution EAGER = new Execution.Eager();
  private static final Execution PLAIN = new Execution.Planned(PlanOptions.PLAIN);

  private final TensorScope scope = TensorScope.open();

  @AfterEach
  void close() {
    scope.close();
  }

  private static AmpOptions options(Execution execution) {
    return AmpOptions.defaults().backend(new ReferenceBackend()).seed(7).execution(execution);
  }

  private static TrainStepCell cell(Cell net, Level level, AmpOptions options) {
    return Amp.buildTrainNetwork(net, new SoftmaxCrossEntropyLoss(), OPTIMIZER, level, options);
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void eagerAndPlanHaveTheSameBitsAndLearn(Level level) {
    for (DType half : new DType[] {DType.FP16, DType.BF16}) {
      try (TrainStepCell eager = cell(Points.network(), level, options(EAGER).half(half));
          TrainStepCell plan = cell(Points.network(), level, options(PLAIN).half(half))) {
        double first = Double.NaN;
        double last = Double.NaN;
        for (int i = 0; i < 20; i++) {
          Batch batch = Points.batch(scope, i, 8);
          StepResult result = eager.run(batch);
          assertEquals(result, plan.run(batch), "step " + i);
          first = i == 0 ? result.loss() : first;
          last = result.loss();
        }
        assertTrue(last < first / 2, "loss from " + first + " to " + last);
        assertTrue(Points.sameBits(eager.state().values(), plan.state().values()));
      }
    }
  }

  @Test
  void levelsSideBySideDoNotMeet() {
    Cell net = Points.network();
    PrecisionPlan before = Amp.plan(net, Level.O2, options(PLAIN));
    try (TrainStepCell o0 = cell(net, Level.O0, options(PLAIN));
        TrainStepCell o2 = cell(net, Level.O2, options(PLAIN));
        TrainStepCell alone = cell(Points.network(), Level.O2, options(PLAIN))) {
      for (int i = 0; i < 5; i++) {
        Batch batch = Points.batch(scope, i, 8);
        o0.run(batch);
        assertEquals(o2.run(batch), alone.run(batch));
      }
      assertTrue(Points.sameBits(o2.state().values(), alone.state().values()));
      Variable weight = new Variable(Variable.Kind.PARAMETER, new CellPath("/7/weight"));
      assertFalse(o0.state().read(weight).sameBits(o2.state().read(weight)));
    }
    assertEquals(before, Amp.plan(net, Level.O2, options(PLAIN)));
  }

  @Test
  void aSmallerLastBatchGetsAPlanOfItsOwnOnTheSameState() {
    int[] sizes = {8, 8, 5, 8, 5};
    try (TrainStepCell eager = cell(Points.network(), Level.O2, options(EAGER));
        TrainStepCell plan = cell(Points.network(), Level.O2, options(PLAIN))) {
      for (int i = 0; i < sizes.length; i++) {
        Batch batch = Points.batch(scope, i, sizes[i]);
        assertEquals(eager.run(batch), plan.run(batch), "step " + i);
      }
      assertEquals(2, plan.loop().plans());
      assertTrue(Points.sameBits(eager.state().values(), plan.state().values()));
    }
  }

  @Test
  void theScaleFallsUntilTheGradientsFit() {
    Initializer one = new Initializer.Constant(1);
    Cell net = new WithLossCell(new Dense(16, 16, one, one), new MSELoss());
    AmpOptions from24 = options(PLAIN).lossScale(LossScale.dynamic().from(0x1p24));
    TensorSpec square = TensorSpec.of(DType.FP32, 16, 16);
    double[] ones = new double[256];
    Arrays.fill(ones, 1);
    Tensor x = Tensor.of(scope, square, ones);
    Tensor label = scope.allocate(square);
    try (TrainStepCell train = Amp.buildTrainNetwork(net, new Sgd(1), Level.O2, from24)) {
      for (int skipped = 0; skipped < 6; skipped++) {
        StepResult result = train.run(x, label);
        assertTrue(result.overflow() && !result.applied(), "skip " + skipped);
        assertEquals(289, result.loss());
        assertEquals(result.usedScale() / 2, result.nextScale());
      }
      StepResult applied = train.run(x, label);
      assertTrue(applied.applied());
      assertEquals(289, applied.loss());
      assertEquals(0x1p18, applied.usedScale());
      Variable weight = new Variable(Variable.Kind.PARAMETER, new CellPath("/weight"));
      assertEquals(1 - 2.125, train.state().read(weight).at(0));
      TrainOneStepWithLossScaleCell scaled =
          assertInstanceOf(TrainOneStepWithLossScaleCell.class, train);
      assertEquals(0x1p18, scaled.lossScale());
    }
  }

  /** MindSpore's all-ones case with a parameter that is added to y, whose gradient is dL/dy. */
  @Test
  void theGradientOfTheOutputOfTheAllOnesCase() {
    Initializer one = new Initializer.Constant(1);
    Cell ones =
        new Cell() {
          private final Cell dense = child("dense", new Dense(16, 16, one, one));
          private final Parameter offset = parameter("offset", new Initializer.Constant(0), 16, 16);

          @Override
          protected Tensor construct(Forward f, Tensor... in) {
            return f.ops().add(f.call(dense, in), f.read(offset));
          }
        };
    TensorSpec square = TensorSpec.of(DType.FP32, 16, 16);
    double[] x = new double[256];
    Arrays.fill(x, 1);
    AmpOptions from24 = options(PLAIN).lossScale(LossScale.dynamic().from(0x1p24));
    try (TrainStepCell train =
        Amp.buildTrainNetwork(ones, new MSELoss(), new Sgd(1), Level.O2, from24)) {
      StepResult result = train.run(Tensor.of(scope, square, x), scope.allocate(square));
      for (int skipped = 0; skipped < 6; skipped++) {
        assertFalse(result.applied(), "skip " + skipped);
        result = train.run(Tensor.of(scope, square, x), scope.allocate(square));
      }
      assertTrue(result.applied());
      assertEquals(289, result.loss());
      assertEquals(0x1p18, result.usedScale());
      Variable offset = new Variable(Variable.Kind.PARAMETER, new CellPath("/offset"));
      Variable weight = new Variable(Variable.Kind.PARAMETER, new CellPath("/dense/weight"));
      for (int i = 0; i < 256; i++) {
        assertEquals(-0.1328125, train.state().read(offset).at(i));
        assertEquals(1 - 2.125, train.state().read(weight).at(i));
      }
    }
  }

  @Test
  void anExplicitScaleCountsForThatCallAlone() {
    try (TrainStepCell train = cell(Points.network(), Level.O2, options(PLAIN));
        TrainStepCell fixed =
            cell(Points.network(), Level.O2, options(PLAIN).lossScale(LossScale.fixed(32)))) {
      Batch batch = Points.batch(scope, 0, 8);
      Tensor x = batch.inputs().get(0);
      Tensor label = batch.inputs().get(1);
      StepResult result = train.run(x, label, 32);
      assertEquals(32, result.usedScale());
      assertEquals(0x1p16, result.nextScale());
      assertEquals(0, train.state().read(Variable.cleanSteps()).item());
      StepResult same = fixed.run(x, label);
      assertEquals(same.gradientNorm(), result.gradientNorm());
      assertEquals(
          Set.of(Variable.scale()), Points.moved(train.state().values(), fixed.state().values()));
      assertEquals(0x1p16, train.run(batch).usedScale());
    }
  }

  @Test
  void evaluationUsesRunningStatisticsAndWritesNothing() {
    try (TrainStepCell train = cell(Points.network(), Level.O2, options(PLAIN));
        TensorScope kept = TensorScope.open()) {
      for (int i = 0; i < 20; i++) {
        train.run(Points.batch(scope, i, 8));
      }
      Map<Variable, Tensor> before = train.state().snapshot(kept);
      Batch unseen = Points.batch(scope, 99, 8);
      try (Inference inference = train.inference()) {
        Tensor logits = inference.run(unseen.inputs().getFirst());
        assertEquals(DType.FP32, logits.dtype(), "the network's output leaves as fp32");
        for (int n = 0; n < 8; n++) {
          int row = n;
          double right = logits.at(4L * n + n % 4);
          assertTrue(
              Arrays.stream(new int[] {0, 1, 2, 3})
                  .allMatch(c -> logits.at(4L * row + c) <= right));
        }
      }
      assertTrue(Points.sameBits(before, train.state().snapshot(kept)));
    }
  }

  @Test
  void theSameSeedGivesTheSameStartWhateverTheLevel() {
    try (TrainStepCell o0 = cell(Points.network(), Level.O0, options(PLAIN));
        TrainStepCell o3 = cell(Points.network(), Level.O3, options(PLAIN));
        TrainStepCell other = cell(Points.network(), Level.O0, options(PLAIN).seed(8))) {
      Variable weight = new Variable(Variable.Kind.PARAMETER, new CellPath("/0/weight"));
      assertTrue(o0.state().read(weight).sameBits(o3.state().read(weight)));
      assertFalse(o0.state().read(weight).sameBits(other.state().read(weight)));
    }
  }

  @Test
  void batchNormStatisticsFollowTheBatch() {
    try (TrainStepCell train = cell(Points.network(), Level.O0, options(PLAIN))) {
      Variable mean = new Variable(Variable.Kind.STATISTIC, new CellPath("/1/mean"));
      double[] before = train.state().read(mean).toArray();
      train.run(Points.batch(scope, 0, 8));
      assertNotEquals(before[0], train.state().read(mean).at(0));
    }
  }

  @Test
  void aSampleWithoutABatchAxisIsRefused() {
    try (TrainStepCell train = cell(Points.network(), Level.O0, options(PLAIN));
        Inference inference = train.inference()) {
      Tensor scalar = Tensor.scalar(scope, DType.FP32, 1);
      assertThrows(ShapeException.class, () -> train.run(scalar, scalar));
      assertThrows(ShapeException.class, train::run);
      assertThrows(ShapeException.class, () -> inference.run(scalar));
    }
  }

  @Test
  void aParameterThatNoCellReadsIsNamed() {
    Cell net = new Forgetful();
    for (int batches : new int[] {1, 2}) {
      try (TrainStepCell train =
          Amp.buildTrainNetwork(
              net, new MSELoss(), new Sgd(0.1), Level.O0, options(PLAIN).accumulation(batches))) {
        Tensor x = scope.allocate(TensorSpec.of(DType.FP32, 2, 3));
        UsageException e = assertThrows(UsageException.class, () -> train.run(x, x));
        assertEquals("/forgotten/weight", e.problem().where());
      }
    }
    Optimizer without = new Sgd(0.1).groups(ParameterGroup.of("/forgotten/**").frozen());
    try (TrainStepCell train =
        Amp.buildTrainNetwork(net, new MSELoss(), without, Level.O0, options(PLAIN))) {
      Tensor x = scope.allocate(TensorSpec.of(DType.FP32, 2, 3));
      assertTrue(train.run(x, x).applied());
    }
  }

  /** It registers two cells and calls one. */
  private static final class Forgetful extends Cell {
    private final Cell used = child("used", new Dense(3, 3));

    Forgetful() {
      child("forgotten", new Dense(3, 3));
    }

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.call(used, in);
    }
  }

  /** While it waits in the first step, the numbers of that step's samples must not move. */
  @Test
  void aSecondThreadIsRefusedBeforeItNumbersSamples() {
    TrainStepCell[] running = new TrainStepCell[1];
    AtomicReference<@Nullable Throwable> second = new AtomicReference<>();
    Tensor x = scope.allocate(TensorSpec.of(DType.FP32, 2, 3));
    HostFunction meanwhile =
        HostFunction.of(
                "meanwhile",
                in -> in,
                in -> {
                  second.set(
                      CompletableFuture.runAsync(() -> running[0].run(x, x))
                          .handle((_, e) -> e)
                          .join());
                  return in;
                })
            .withGradient((_, _, d) -> d);
    Cell net =
        new Cell() {
          private final Cell dense = child("dense", new Dense(3, 3));

          @Override
          protected Tensor construct(Forward f, Tensor... in) {
            return f.ops().run(meanwhile, f.call(dense, in));
          }
        };
    try (TrainStepCell train =
        Amp.buildTrainNetwork(net, new MSELoss(), new Sgd(0.1), Level.O0, options(PLAIN))) {
      running[0] = train;
      assertTrue(train.run(x, x).applied());
      Throwable thrown = assertInstanceOf(CompletionException.class, second.get()).getCause();
      UsageException e = assertInstanceOf(UsageException.class, thrown);
      assertEquals("TrainStepCell", e.problem().subject());
    }
  }

  @Test
  void networksMayHaveSeveralInputs() {
    Cell sum =
        new Cell() {
          private final Cell dense = child("dense", new Dense(3, 3));

          @Override
          protected Tensor construct(Forward f, Tensor... in) {
            f.expect(2, in);
            return f.call(dense, f.ops().add(in[0], in[1]));
          }
        };
    try (TrainStepCell train =
            Amp.buildTrainNetwork(sum, new MSELoss(), new Sgd(0.1), Level.O0, options(PLAIN));
        Inference inference = train.inference()) {
      Tensor x = scope.allocate(TensorSpec.of(DType.FP32, 2, 3));
      assertTrue(train.run(x, x, x).applied());
      assertEquals(x.shape(), inference.run(x, x).shape());
      assertThrows(UsageException.class, () -> train.run(x));
    }
  }
}
