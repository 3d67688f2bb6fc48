package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.CollectiveExecutor;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Dropout;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.Ops;
import dev.halfcell.op.collective.AllReduce;
import dev.halfcell.op.collective.AllReduce.Reduction;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.GradientClip;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.Accumulation;
import dev.halfcell.train.Accumulation.OnOverflow;
import dev.halfcell.train.Execution;
import dev.halfcell.train.OverflowPolicy;
import dev.halfcell.train.StepResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds on every backend where several ranks train together, each on a backend of its own. */
public abstract class RanksContract {
  private static final Execution EAGER = new Execution.Eager();
  private static final Execution PLAIN = new Execution.Planned(PlanOptions.PLAIN);
  private static final Execution FULL = new Execution.Planned(PlanOptions.FULL);
  private static final Optimizer MOMENTUM = new Momentum(0.05, 0.9);

  /** What a rank comes out with: its results, and every value of its state. */
  private record Trained(List<StepResult> results, Map<Variable, double[]> state) {}

  /** Opens the backend that is held to the contract. */
  protected abstract Backend open();

  private static Cell network() {
    return new Sequential(
        new Conv2d(2, 3, 5),
        new BatchNorm2d(3),
        new ReLU(),
        new Flatten(),
        new Dropout(0.25),
        new Dense(3 * 64, 5));
  }

  /** Trains as one rank, on what {@code batches} gives for each step. */
  private Trained train(
      Collective rank,
      int steps,
      AmpOptions options,
      BiFunction<TensorScope, Integer, Batch> batches) {
    try (Backend backend = open();
        TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(
                network(),
                new SoftmaxCrossEntropyLoss(),
                MOMENTUM.clip(GradientClip.byNorm(5)),
                Level.O2,
                options.backend(backend).collective(rank))) {
      List<StepResult> results = new ArrayList<>();
      for (int step = 0; step < steps; step++) {
        results.add(train.run(batches.apply(scope, step)));
      }
      return new Trained(results, values(train));
    }
  }

  private static Map<Variable, double[]> values(TrainStepCell train) {
    Map<Variable, double[]> values = new LinkedHashMap<>();
    train.state().values().forEach((variable, value) -> values.put(variable, value.toArray()));
    return values;
  }

  private static AmpOptions options(Execution execution) {
    return AmpOptions.defaults()
        .execution(execution)
        .lossScale(LossScale.dynamic().from(256))
        .seed(3);
  }

  /** Another batch for each rank and step; the first element of a bad one is an infinity. */
  private static Batch batch(TensorScope scope, Collective rank, int step, boolean bad) {
    Batch batch = SmallTraining.batch(scope, step * 10 + rank.rank(), 4);
    if (bad) {
      Elements.set(batch.inputs().getFirst().data(), DType.FP32, 0, Double.POSITIVE_INFINITY);
    }
    return batch;
  }

  private static void requireSameBits(List<Trained> ranks) {
    Trained first = ranks.getFirst();
    for (Trained other : ranks.subList(1, ranks.size())) {
      first
          .state()
          .forEach(
              (variable, value) -> {
                boolean own = variable.kind() == Variable.Kind.WINDOW_COUNT; // its losses
                own |= variable.kind() == Variable.Kind.WINDOW; // emptied by the next window
                assertTrue(own || same(value, other.state().get(variable)), variable.toString());
              });
    }
  }

  private static boolean same(double[] a, double @Nullable [] b) {
    return Arrays.equals(a, b);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  final void ranksWithDifferentBatchesHaveTheSameBitsAfterTwentySteps(int size) {
    List<Trained> ranks =
        ThreadCollective.run(
            size,
            rank -> train(rank, 20, options(FULL), (scope, i) -> batch(scope, rank, i, false)));
    requireSameBits(ranks);
    StepResult one = ranks.get(0).results().getLast();
    StepResult other = ranks.get(1).results().getLast();
    assertTrue(one.applied());
    assertEquals(one.gradientNorm(), other.gradientNorm());
    assertFalse(one.loss() == other.loss(), "the loss is a rank's own");
  }

  @Test
  final void ranksHaveTheSameBitsEagerAndPlanned() {
    List<Trained> both = new ArrayList<>();
    for (Execution execution : List.of(EAGER, PLAIN)) {
      List<Trained> ranks =
          ThreadCollective.run(
              2,
              rank ->
                  train(rank, 3, options(execution), (scope, i) -> batch(scope, rank, i, i == 1)));
      requireSameBits(ranks);
      both.add(ranks.getFirst());
    }
    assertEquals(both.get(0).results().toString(), both.get(1).results().toString());
    requireSameBits(both);
  }

  @Test
  final void anInfinityOnOneRankMakesAllSkip() {
    List<Trained> ranks =
        ThreadCollective.run(
            3,
            rank ->
                train(
                    rank,
                    3,
                    options(FULL),
                    (scope, i) -> batch(scope, rank, i, i == 1 && rank.rank() == 2)));
    requireSameBits(ranks);
    for (Trained rank : ranks) {
      StepResult refused = rank.results().get(1);
      assertTrue(refused.overflow() && !refused.applied());
      assertEquals(128, refused.nextScale());
      assertEquals(2, applied(rank));
    }
  }

  private static double applied(Trained rank) {
    double[] applied = rank.state().get(Variable.applied());
    return applied == null ? -1 : applied[0];
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  final void aWindowIsJudgedByAllRanks(boolean dropMicroBatch) {
    OnOverflow drop = dropMicroBatch ? OnOverflow.DROP_MICRO_BATCH : OnOverflow.DROP_WINDOW;
    AmpOptions windows = options(FULL).accumulation(new Accumulation(2, drop));
    List<Trained> ranks =
        ThreadCollective.run(
            2,
            rank ->
                train(
                    rank,
                    6,
                    windows,
                    (scope, i) -> batch(scope, rank, i, rank.rank() == 0 && (i == 2 || i == 3))));
    requireSameBits(ranks);
    for (Trained rank : ranks) {
      assertEquals(dropMicroBatch, rank.results().get(3).applied());
      assertEquals(dropMicroBatch ? 3 : 2, applied(rank));
    }
  }

  /**
   * Without normalisation and with equal batches, the mean over ranks is that of the joined one.
   */
  @Test
  final void twoRanksTakeTheStepsOfOneOnTheJoinedBatch() {
    Trained joined = linear(Collective.single(), 0, 8);
    List<Trained> ranks = ThreadCollective.run(2, rank -> linear(rank, 4 * rank.rank(), 4));
    requireSameBits(ranks);
    ranks
        .getFirst()
        .state()
        .forEach(
            (variable, value) -> {
              double[] want = joined.state().get(variable);
              assertArrayEquals(want, value, 1e-5, variable.toString());
            });
  }

  private Trained linear(Collective rank, int first, int rows) {
    try (Backend backend = open();
        TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(
                new Sequential(new Dense(3, 6), new ReLU(), new Dropout(0.25), new Dense(6, 1)),
                new MSELoss(),
                MOMENTUM,
                Level.O0,
                options(FULL).backend(backend).collective(rank))) {
      for (int step = 0; step < 20; step++) {
        double[] all = Fill.normals().values(new Generator(step), 8 * 4);
        Tensor x = scope.allocate(TensorSpec.of(DType.FP32, rows, 3));
        Tensor y = scope.allocate(TensorSpec.of(DType.FP32, rows, 1));
        for (int i = 0; i < 3 * rows; i++) {
          Elements.set(x.data(), DType.FP32, i, all[3 * first + i]);
        }
        for (int i = 0; i < rows; i++) {
          Elements.set(y.data(), DType.FP32, i, all[24 + first + i]);
        }
        train.run(x, y);
      }
      return new Trained(List.of(), values(train));
    }
  }

  @Test
  final void eachReductionGivesAllRanksTheSame() {
    List<List<Double>> ranks =
        ThreadCollective.run(
            3,
            rank -> {
              try (Backend backend = open();
                  TensorScope scope = TensorScope.open()) {
                Ops ops = new Ops(new CollectiveExecutor(backend.eager(scope), rank), OpCase.PATH);
                Tensor x = Tensor.of(scope, TensorSpec.of(DType.FP32), 1 + rank.rank());
                List<Double> reduced = new ArrayList<>();
                for (Reduction reduction : Reduction.values()) {
                  reduced.add(ops.run(new AllReduce(reduction), x).item());
                }
                assertEquals(1 + rank.rank(), x.item(), "the input stays");
                return reduced;
              }
            });
    assertEquals(List.of(6.0, 2.0, 3.0, 1.0), ranks.getFirst());
    assertEquals(1, ranks.stream().distinct().count());
  }

  @Test
  final void aRankThatDiesMakesTheOthersThrowItsNumber() {
    CompletionException e =
        assertThrows(
            CompletionException.class,
            () ->
                ThreadCollective.run(
                    2,
                    rank ->
                        train(
                            rank,
                            3,
                            options(FULL),
                            (scope, i) -> {
                              if (rank.rank() == 1 && i == 1) {
                                throw new IllegalArgumentException("no more data");
                              }
                              return batch(scope, rank, i, false);
                            })));
    UsageException left = assertInstanceOf(UsageException.class, e.getCause());
    assertTrue(left.problem().got().contains("rank 1 has ended"), left.problem().message());
    assertTrue(left.problem().where().contains("rank 0"), left.problem().message());
    assertEquals("no more data", e.getSuppressed()[0].getMessage());
  }

  @Test
  final void aRankThatDoesNotComeMakesTheOthersThrowItsNumber() {
    CompletionException e =
        assertThrows(
            CompletionException.class,
            () ->
                ThreadCollective.run(
                    2, Duration.ofMillis(50), rank -> rank.rank() == 0 ? one(rank) : late()));
    assertTrue(String.valueOf(e.getCause()).contains("ranks [1] did not come"), e.toString());
  }

  private Trained one(Collective rank) {
    return train(rank, 1, options(FULL), (scope, i) -> batch(scope, rank, i, false));
  }

  private static Trained late() {
    try {
      Thread.sleep(500);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new Trained(List.of(), Map.of());
  }

  @Test
  final void severalRanksDoNotTryABatchAgain() {
    assertInstanceOf(
        UsageException.class,
        refused(options(FULL).overflowPolicy(OverflowPolicy.retrySameBatch(3))));
  }

  @Test
  final void severalRanksDoNotMoveCellsEachByItself() {
    assertInstanceOf(ArgumentException.class, refused(options(FULL).demotion(3, 200)));
  }

  private Throwable refused(AmpOptions options) {
    CompletionException e =
        assertThrows(
            CompletionException.class,
            () ->
                ThreadCollective.run(
                    2,
                    rank -> train(rank, 1, options, (scope, i) -> batch(scope, rank, i, false))));
    return Objects.requireNonNull(e.getCause());
  }
}
