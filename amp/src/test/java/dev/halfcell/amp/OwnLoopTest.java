package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.scale.LossScaleOptimizer;
import dev.halfcell.autodiff.Gradient;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Embedding;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.GradientClip;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.Execution;
import dev.halfcell.train.Recipe;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainLoop;
import dev.halfcell.train.TrainState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Loops that users write themselves. */
class OwnLoopTest {
  private static final Execution EAGER = new Execution.Eager();
  private static final Execution PLAIN = new Execution.Planned(PlanOptions.PLAIN);
  private static final Initializer ONE = new Initializer.Constant(1);
  private static final Variable WEIGHT =
      new Variable(Variable.Kind.PARAMETER, new CellPath("/weight"));

  private final TensorScope scope = TensorScope.open();

  @AfterEach
  void close() {
    scope.close();
  }

  private static AmpOptions options(TrainState state, Execution execution) {
    return AmpOptions.defaults().backend(new ReferenceBackend()).execution(execution).state(state);
  }

  /** The gradients in two groups: the last layer, and the rest. */
  private static Recipe twoGroups(Cell net, Optimizer body, Optimizer head) {
    LossScaleOptimizer first = new LossScaleOptimizer(body);
    LossScaleOptimizer second = new LossScaleOptimizer(head);
    return (step, inputs) -> {
      Tensor loss = step.forward(net, inputs.get(0), inputs.get(1));
      Tensor scaled = first.scaledLoss(step, loss);
      Map<Variable, Gradient> all = first.unscaledGradients(step, scaled);
      Map<Variable, Gradient> last = new LinkedHashMap<>(all);
      last.keySet().removeIf(parameter -> !parameter.path().text().startsWith("/7/"));
      Map<Variable, Gradient> rest = new LinkedHashMap<>(all);
      rest.keySet().removeAll(last.keySet());
      first.applyGradients(step, rest);
      second.applyGradients(step, last);
      return loss;
    };
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void anOwnLoopOfTwoGroupsAndBuildTrainNetworkGiveTheSameBits(Level level) {
    Momentum momentum = new Momentum(0.1, 0.9);
    Cell net = new WithLossCell(Points.network(), new SoftmaxCrossEntropyLoss());
    for (Execution execution : List.of(EAGER, PLAIN)) {
      try (TrainState standard = TrainState.of(net, momentum, 7);
          TrainState own = TrainState.of(net, momentum, 7);
          TrainStepCell train =
              Amp.buildTrainNetwork(net, momentum, level, options(standard, execution));
          TrainLoop loop =
              Amp.buildTrainLoop(
                  net, twoGroups(net, momentum, momentum), level, options(own, execution))) {
        for (int i = 0; i < 4; i++) {
          Batch batch = Points.batch(scope, i, 8);
          assertEquals(train.run(batch), loop.step(batch), "step " + i);
        }
        assertTrue(Points.sameBits(standard.values(), own.values()));
      }
    }
  }

  @Test
  void twoOptimizersShareOneDecision() {
    Cell net = new WithLossCell(Points.network(), new SoftmaxCrossEntropyLoss());
    Adam adam = new Adam(0.01);
    Momentum momentum = new Momentum(0.1, 0.9);
    try (TrainState state = TrainState.of(net, 7)) {
      state.declareSlots(net, adam);
      state.declareSlots(net, momentum);
      Recipe recipe = twoGroups(net, adam, momentum);
      try (TrainLoop loop = Amp.buildTrainLoop(net, recipe, Level.O2, options(state, PLAIN))) {
        assertTrue(loop.step(Points.batch(scope, 0, 8)).applied());
        Map<Variable, Tensor> before = state.snapshot(scope);
        Batch bad = Points.batch(scope, 1, 8);
        Elements.set(bad.inputs().getFirst().data(), DType.FP32, 0, Double.POSITIVE_INFINITY);
        assertFalse(loop.step(bad).applied());
        assertTrue(Points.moved(before, state.values()).stream().noneMatch(Variable::guarded));
      }
    }
  }

  private UsageException misuse(BiFunction<Cell, LossScaleOptimizer, Recipe> of) {
    Cell net = new WithLossCell(new Dense(2, 2), new MSELoss());
    Recipe recipe = of.apply(net, new LossScaleOptimizer(new Sgd(0.1)));
    TensorSpec square = TensorSpec.of(DType.FP32, 2, 2);
    Batch batch =
        new Batch(
            List.of(scope.allocate(square), scope.allocate(square)),
            scope.allocate(TensorSpec.of(DType.INT64, 2)));
    try (TrainState state = TrainState.of(net, 7);
        TrainLoop loop = Amp.buildTrainLoop(net, recipe, Level.O2, options(state, PLAIN))) {
      return assertThrows(UsageException.class, () -> loop.step(batch));
    }
  }

  @Test
  void misuseOfTheThreeCallsIsAnErrorThatSaysWhatToDo() {
    UsageException unscaled =
        misuse(
            (net, optimizer) ->
                (step, in) -> {
                  Tensor loss = step.forward(net, in.get(0), in.get(1));
                  optimizer.applyGradients(step, optimizer.unscaledGradients(step, loss));
                  return loss;
                });
    assertTrue(unscaled.problem().fix().contains("scaledLoss(step, loss)"));
    UsageException twice =
        misuse(
            (net, optimizer) ->
                (step, in) -> {
                  Tensor loss = step.forward(net, in.get(0), in.get(1));
                  return optimizer.scaledLoss(step, optimizer.scaledLoss(step, loss));
                });
    assertEquals("Scale each loss once.", twice.problem().fix());
    UsageException again =
        misuse(
            (net, optimizer) ->
                (step, in) -> {
                  Tensor loss = optimizer.scaledLoss(step, step.forward(net, in.get(0), in.get(1)));
                  optimizer.unscaledGradients(step, loss);
                  optimizer.unscaledGradients(step, loss);
                  return loss;
                });
    assertEquals("Keep the gradients of the first call.", again.problem().fix());
    UsageException noGradients =
        misuse(
            (net, optimizer) ->
                (step, in) -> {
                  Tensor loss = step.forward(net, in.get(0), in.get(1));
                  step.applyGradients(optimizer.inner(), step.unscaledGradients(loss));
                  return optimizer.scaledLoss(step, step.ops().add(loss, loss));
                });
    assertTrue(noGradients.problem().fix().contains("unscaledGradients"));
    UsageException early =
        misuse(
            (net, _) ->
                (step, in) -> {
                  step.clip(GradientClip.byNorm(1), Map.of());
                  return step.forward(net, in.get(0), in.get(1));
                });
    assertEquals("clip", early.problem().subject());
  }

  @Test
  void stateAndBackendAreTheCallers() {
    Cell net = new WithLossCell(new Dense(2, 2), new MSELoss());
    Recipe recipe = Recipe.standard(net, new Sgd(0.1));
    AmpOptions none = AmpOptions.defaults();
    ArgumentException e =
        assertThrows(
            ArgumentException.class, () -> Amp.buildTrainLoop(net, recipe, Level.O2, none));
    assertTrue(e.problem().expected().contains("state"));
    try (TrainState state = TrainState.of(net, 1)) {
      e =
          assertThrows(
              ArgumentException.class,
              () -> Amp.buildTrainLoop(net, recipe, Level.O2, none.state(state)));
      assertTrue(e.problem().expected().contains("backend"));
    }
  }

  /** Weight 1, input 1, label 0: loss 1, gradient 2. */
  private StepResult one(Recipe recipe, Cell net, LossScale scale, TrainState state, int times) {
    try (TrainLoop loop =
        Amp.buildTrainLoop(net, recipe, Level.O0, options(state, PLAIN).lossScale(scale))) {
      Tensor x = Tensor.of(scope, TensorSpec.of(DType.FP32, 1, 1), 1);
      Tensor label = scope.allocate(TensorSpec.of(DType.FP32, 1, 1));
      Batch batch = new Batch(List.of(x, label), scope.allocate(TensorSpec.of(DType.INT64, 1)));
      StepResult result = loop.step(batch);
      for (int i = 1; i < times; i++) {
        result = loop.step(batch);
      }
      return result;
    }
  }

  private static Cell one() {
    return new WithLossCell(new Dense(1, 1, ONE, new Initializer.Constant(0)), new MSELoss());
  }

  /** Unscaled gradients 2 and 2, norm √8 ≈ 2.8: within 4, far beyond it if they were scaled. */
  @Test
  void clippingSeesUnscaledGradients() {
    Cell net = one();
    Optimizer clipped = new Sgd(0.25).clip(GradientClip.byNorm(4));
    for (double scale : new double[] {1, 1024}) {
      try (TrainState state = TrainState.of(net, clipped, 1)) {
        Recipe standard = Recipe.standard(net, clipped);
        StepResult result = one(standard, net, LossScale.fixed(scale), state, 1);
        assertEquals(Math.sqrt(8), result.gradientNorm(), 1e-12);
        assertEquals(0.5, state.read(WEIGHT).item());
      }
    }
  }

  @Test
  void gradientsMayBeClippedByTheLoopItself() {
    Cell net = one();
    Recipe clipping =
        (step, in) -> {
          Tensor loss = step.forward(net, in.get(0), in.get(1));
          Map<Variable, Gradient> gradients = step.gradients(step.scaledLoss(loss));
          step.apply(new Sgd(1), step.clip(GradientClip.byValue(0.5), gradients));
          return loss;
        };
    try (TrainState state = TrainState.of(net, 1)) {
      StepResult result = one(clipping, net, LossScale.fixed(1024), state, 1);
      assertEquals(0.5, state.read(WEIGHT).item());
      assertEquals(Math.sqrt(8), result.gradientNorm(), 1e-12, "the norm before the bound");
    }
  }

  /** 2 · 2¹²⁷ leaves FP32; what is cut off at 0.5 is finite again. */
  @Test
  void aBoundHidesNoInfinity() {
    Cell net = one();
    Recipe clipping =
        (step, in) -> {
          Tensor loss = step.forward(net, in.get(0), in.get(1));
          Map<Variable, Gradient> gradients = step.gradients(loss);
          step.apply(new Sgd(1), step.clip(GradientClip.byValue(0.5), gradients));
          return loss;
        };
    for (Recipe recipe :
        List.of(clipping, Recipe.standard(net, new Sgd(1).clip(GradientClip.byValue(0.5))))) {
      try (TrainState state = TrainState.of(net, 1)) {
        StepResult result = one(recipe, net, LossScale.fixed(0x1p127), state, 1);
        assertTrue(result.overflow() && result.lossFinite());
        assertEquals(1, state.read(WEIGHT).item());
      }
    }
  }

  @Test
  void theScheduleFollowsAppliedStepsAndSkippedOnesHoldIt() {
    Cell net = one();
    Schedule half = new Schedule.Piecewise(List.of(0L, 1L), List.of(0.25, 0.125));
    Sgd sgd = new Sgd(half, 0);
    LossScale falling = LossScale.dynamic(0x1p127, 2, 0.5, 2000, 1, 0x1p127, 1);
    try (TrainState state = TrainState.of(net, sgd, 1)) {
      StepResult first = one(Recipe.standard(net, sgd), net, falling, state, 1);
      assertFalse(first.applied());
      assertEquals(0, state.read(Variable.applied()).item());
      StepResult second = one(Recipe.standard(net, sgd), net, falling, state, 1);
      assertTrue(second.applied(), second.toString());
      assertEquals(0.5, state.read(WEIGHT).item(), "the first rate, in the second step");
      assertEquals(2, state.read(Variable.seen()).item());
    }
  }

  private static Cell table() {
    return new Embedding(4, 2, OptionalInt.empty(), true, ONE);
  }

  /** Each look-up of a row yields the scale as its gradient, in half. */
  private StepResult lookUp(LossScale scale, TrainState state, Cell net) {
    Recipe recipe =
        (step, in) -> {
          Tensor loss = step.ops().sum(step.forward(net, in.getFirst()), false, 0, 1);
          step.apply(new Sgd(0.25), step.gradients(loss));
          return loss;
        };
    Tensor words = Tensor.of(scope, TensorSpec.of(DType.INT64, 3), 2, 2, 1);
    Batch batch = new Batch(List.of(words), scope.allocate(TensorSpec.of(DType.INT64, 3)));
    AmpOptions options = options(state, PLAIN).lossScale(scale);
    try (TrainLoop loop = Amp.buildTrainLoop(net, recipe, Level.O3, options)) {
      return loop.step(batch);
    }
  }

  @Test
  void rowsOfTheSameIndexAreSummedInFp32BeforeTheCheck() {
    Cell net = table();
    Variable rows = new Variable(Variable.Kind.PARAMETER, new CellPath("/embedding_table"));
    try (TrainState state = TrainState.of(net, 1)) {
      assertTrue(lookUp(LossScale.fixed(40_000), state, net).applied(), "80,000 is no overflow");
      double[] expected = {1, 1, 0.75, 0.75, 0.5, 0.5, 1, 1};
      for (int i = 0; i < 8; i++) {
        assertEquals(expected[i], state.read(rows).at(i), 1e-6);
      }
    }
    try (TrainState state = TrainState.of(net, 1)) {
      StepResult refused = lookUp(LossScale.fixed(65_536), state, net);
      assertFalse(refused.applied(), "a row that was infinite in half");
    }
  }

  /** Only the row of the embedding table is not finite; the dense layer must not move either. */
  @Test
  void anInfinityInTheRowsOfATableAloneHoldsTheDenseLayersToo() {
    Cell net =
        new WithLossCell(new Sequential(table(), new Flatten(), new Dense(6, 1)), new MSELoss());
    Variable rows = new Variable(Variable.Kind.PARAMETER, new CellPath("/0/embedding_table"));
    Adam adam = new Adam(0.1);
    LossScaleOptimizer sparse = new LossScaleOptimizer(new Sgd(0.25));
    LossScaleOptimizer dense = new LossScaleOptimizer(adam);
    Recipe recipe =
        (step, in) -> {
          Tensor loss = sparse.scaledLoss(step, step.forward(net, in.get(0), in.get(1)));
          Map<Variable, Gradient> all = sparse.unscaledGradients(step, loss);
          all.computeIfPresent(
              rows, (_, g) -> g.map(values -> step.gradientOps().mul(values, in.get(2))));
          Map<Variable, Gradient> table = new LinkedHashMap<>(all);
          table.keySet().retainAll(List.of(rows));
          assertTrue(table.get(rows) instanceof Gradient.Rows, "the gradient stays rows");
          all.remove(rows);
          sparse.applyGradients(step, table);
          dense.applyGradients(step, all);
          return loss;
        };
    try (TrainState state = TrainState.of(net, adam, 1);
        TrainLoop loop =
            Amp.buildTrainLoop(
                net, recipe, Level.O2, options(state, PLAIN).lossScale(LossScale.fixed(8)))) {
      Tensor words = Tensor.of(scope, TensorSpec.of(DType.INT64, 1, 3), 2, 2, 1);
      Tensor label = scope.allocate(TensorSpec.of(DType.FP32, 1, 1));
      Tensor factor = Tensor.scalar(scope, DType.FP32, 1);
      Batch batch =
          new Batch(List.of(words, label, factor), scope.allocate(TensorSpec.of(DType.INT64, 1)));
      assertTrue(loop.step(batch).applied());
      Map<Variable, Tensor> before = state.snapshot(scope);
      Elements.set(factor.data(), DType.FP32, 0, Double.POSITIVE_INFINITY);
      assertFalse(loop.step(batch).applied());
      assertTrue(Points.moved(before, state.values()).stream().noneMatch(Variable::guarded));
      Elements.set(factor.data(), DType.FP32, 0, 1);
      assertTrue(loop.step(batch).applied());
      assertTrue(Points.moved(before, state.values()).stream().anyMatch(Variable::guarded));
    }
  }
}
