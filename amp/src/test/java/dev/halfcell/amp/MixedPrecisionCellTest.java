package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionOptions;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.amp.precision.Selection;
import dev.halfcell.amp.precision.Treatment;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.LayerNorm;
import dev.halfcell.nn.PrecisionFlag;
import dev.halfcell.nn.Recording;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.Softmax;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Execution;
import dev.halfcell.train.PrecisionRules;
import dev.halfcell.train.Recipe;
import dev.halfcell.train.TrainLoop;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.TrainStep;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Networks that bring their own precision: in own loops, below other cells, in train cells. */
final class MixedPrecisionCellTest {
  private static final Optimizer OPTIMIZER = new Momentum(0.1, 0.9);
  private static final AmpOptions OPTIONS =
      AmpOptions.defaults()
          .backend(new ReferenceBackend())
          .seed(7)
          .execution(new Execution.Planned(PlanOptions.PLAIN));

  private static TrainStepCell train(Cell net, Level level, AmpOptions options) {
    return Amp.buildTrainNetwork(net, new SoftmaxCrossEntropyLoss(), OPTIMIZER, level, options);
  }

  /** No plan but the cell's own: every op of the loop runs under it, or is FP32. */
  @ParameterizedTest
  @EnumSource(Level.class)
  void inAnOwnLoopItHasTheBitsOfATrainCell(Level level) {
    LossScale scale = LossScale.fixed(128);
    Cell mixed = Amp.autoMixedPrecision(Points.network(), level);
    Cell net = new WithLossCell(mixed, new SoftmaxCrossEntropyLoss());
    TrainStep step =
        new TrainStep(net, PrecisionRules.none(), scale, Recipe.standard(net, OPTIMIZER));
    for (Execution way : List.of(new Execution.Eager(), new Execution.Planned(PlanOptions.PLAIN))) {
      try (TensorScope scope = TensorScope.open();
          TrainState state = TrainState.of(net, OPTIMIZER, 7);
          TrainLoop own = new TrainLoop(step, state, new ReferenceBackend(), way);
          TrainStepCell built = train(Points.network(), level, OPTIONS.lossScale(scale))) {
        for (int i = 0; i < 3; i++) {
          Batch batch = Points.batch(scope, i, 8);
          assertEquals(built.run(batch), own.step(batch));
        }
        assertTrue(Points.sameBits(built.state().values(), state.values()));
      }
    }
  }

  /** The plan of the train cell takes over the cell's: the same ops, and no cast more. */
  @ParameterizedTest
  @EnumSource(Level.class)
  void inATrainCellNoOpIsCastByTwoPlans(Level outer) {
    for (Level own : Level.values()) {
      Cell mixed = Amp.autoMixedPrecision(Points.network(), own);
      assertEquals(ops(Points.network(), own), ops(mixed, outer), own + " in " + outer);
    }
  }

  private static List<Graph.Node> ops(Cell net, Level level) {
    AmpOptions options = OPTIONS.lossScale(LossScale.fixed(8));
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train = train(net, level, options)) {
      return train.loop().trace(Points.batch(scope, 0, 8).signature()).nodes();
    }
  }

  @Test
  void belowAnotherCellItKeepsItsOwnPlanUnderItsPath() {
    Cell body = Amp.autoMixedPrecision(new Sequential(new Dense(4, 4), new LayerNorm(4)), "O1");
    Cell net = new Sequential(new Dense(4, 4), body, new Dense(4, 4));
    PrecisionPlan plan = PrecisionPlan.of(net, Level.O3, PrecisionOptions.defaults());
    assertEquals(
        """
        cell  class                     params  compute  output   reason
        /     Sequential                -       fp16     fp32     level O3
        /0    Dense                     fp32    fp16     fp16     level O3
        /1    Sequential                -       per op   fp32     level O1
        /1/0  Dense                     fp32    fp16     fp16     Dense gains from half
        /1/1  LayerNorm                 fp32    fp32     fp32     LayerNorm needs fp32
        /2    Dense                     fp32    fp16     fp16     level O3
        4 of 6 cells compute in half, 1 op by op
        """,
        plan.explain());
    assertEquals(
        List.of(DType.FP16, DType.FP16, DType.FP16), inputs(plan, net, "Dense"), "under the plan");
    assertEquals(List.of(DType.FP32), inputs(plan, net, "LayerNorm"));
  }

  @Test
  void withoutAPlanAroundItOnlyItsOwnCellsAreCast() {
    Cell body = Amp.autoMixedPrecision(new Sequential(new Dense(4, 4), new LayerNorm(4)), "O3");
    Cell net = new Sequential(new Dense(4, 4), body, new Dense(4, 4));
    assertEquals(List.of(DType.FP32, DType.FP16, DType.FP32), inputs(spy -> spy, net, "Dense"));
    assertEquals(List.of(DType.FP16), inputs(spy -> spy, net, "LayerNorm"));
  }

  private static List<DType> inputs(PrecisionPlan plan, Cell net, String op) {
    return inputs(plan::over, net, op);
  }

  private static List<DType> inputs(UnaryOperator<Executor> plan, Cell net, String op) {
    List<DType> seen = new ArrayList<>();
    Executor spy =
        (each, in, at) -> {
          if (each.label().equals(op)) {
            seen.add(in.getFirst().dtype());
          }
          return each.infer(Tensor.specs(in), at).stream().map(Tensor::symbol).toList();
        };
    try (TrainState state = TrainState.of(net, 1)) {
      Tensor samples = Tensor.symbol(TensorSpec.of(DType.INT64, 2));
      Tensor y =
          new Recording(plan.apply(spy), state, net, samples, true)
              .call(net, Tensor.symbol(TensorSpec.of(DType.FP32, 2, 4)));
      assertEquals(DType.FP32, y.dtype());
    }
    return seen;
  }

  @Test
  void parametersKeepTheirNames() {
    try (TrainState plain = TrainState.of(Points.network(), 1);
        TrainState mixed = TrainState.of(Amp.autoMixedPrecision(Points.network(), "O2"), 1)) {
      assertEquals(plain.values().keySet(), mixed.values().keySet());
    }
  }

  @Test
  void flagsThatAreSetLaterCount() {
    Cell mixed = Amp.autoMixedPrecision(new Sequential(new Dense(4, 4)), Level.O0);
    mixed.addFlagsRecursive(PrecisionFlag.BF16);
    PrecisionPlan plan = PrecisionPlan.of(mixed, Level.O0, PrecisionOptions.defaults());
    assertEquals(Treatment.HALF, plan.treatment(new CellPath("/0")));
    assertEquals(List.of(DType.BF16), inputs(spy -> spy, mixed, "Dense"));
  }

  @Test
  void aSecondPrecisionOfTheWholeNetworkIsAnError() {
    Cell once = Amp.autoMixedPrecision(new Dense(4, 4), Level.O2);
    ArgumentException e =
        assertThrows(ArgumentException.class, () -> Amp.autoMixedPrecision(once, Level.O1));
    assertEquals(
        "[mixed precision]: expected a network without a precision of its own, got one at level"
            + " O2. Pass the network that was given to the first call.",
        e.getMessage());
    Cell wrapped = new WithLossCell(once, new SoftmaxCrossEntropyLoss());
    assertThrows(
        ArgumentException.class,
        () -> Amp.customMixedPrecision(wrapped, Amp.whiteList(), Selection.none(), DType.FP16));
    Amp.autoMixedPrecision(new Sequential(once), Level.O1); // a part of it may have one
  }

  @Test
  void whatCannotTakeEffectInACellIsAnError() {
    PrecisionOptions misspelt = PrecisionOptions.defaults().lists(l -> l.deny("/nowhere"));
    assertThrows(
        ArgumentException.class, () -> Amp.autoMixedPrecision(new Dense(4, 4), Level.O2, misspelt));
    PrecisionOptions saturating = PrecisionOptions.defaults().castOverflow(CastOverflow.SATURATE);
    assertThrows(
        ArgumentException.class,
        () -> Amp.autoMixedPrecision(new Dense(4, 4), Level.O2, saturating));
    Cell net = new Sequential(Amp.autoMixedPrecision(new Sequential(new Dense(4, 4)), Level.O2));
    PrecisionOptions inside = PrecisionOptions.defaults().lists(l -> l.deny("/0/0"));
    assertThrows(
        ArgumentException.class,
        () -> PrecisionPlan.of(net, Level.O2, inside),
        "an own plan is not the lists' to change");
    PrecisionOptions part = PrecisionOptions.defaults().part("/0", DType.FP32);
    assertThrows(ArgumentException.class, () -> PrecisionPlan.of(net, Level.O2, part));
  }

  private static Cell three() {
    return new Sequential(new Dense(4, 4), new LayerNorm(4), new Softmax(), new Conv1());
  }

  /** A dense layer under another class. */
  private static final class Conv1 extends Cell {
    private final Cell dense = child("dense", new Dense(4, 4));

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.ops().mul(f.call(dense, in), f.call(dense, in));
    }
  }

  private static List<Treatment> custom(Selection allow, Selection deny) {
    Cell mixed = Amp.customMixedPrecision(three(), allow, deny, DType.FP16);
    PrecisionPlan plan = PrecisionPlan.of(mixed, Level.O0, PrecisionOptions.defaults());
    return List.of("/0", "/1", "/2", "/3").stream()
        .map(path -> plan.treatment(new CellPath(path)))
        .toList();
  }

  @Test
  void ownListsStandInForTheDefaultOnes() {
    assertEquals(
        List.of(Treatment.HALF, Treatment.WIDEST, Treatment.WIDEST, Treatment.WIDEST),
        custom(Amp.whiteList(), Selection.none()));
    assertEquals(
        List.of(Treatment.WIDEST, Treatment.WIDEST, Treatment.WIDEST, Treatment.HALF),
        custom(Selection.of(Conv2d.class, Conv1.class), Selection.none()));
    assertEquals(
        List.of(
            Treatment.HALF, Treatment.HALF_THROUGHOUT, Treatment.FULL_THEN_HALF, Treatment.HALF),
        custom(Selection.none(), Amp.blackList().without(LayerNorm.class)));
    assertEquals(
        List.of(Treatment.HALF, Treatment.WIDEST, Treatment.FULL, Treatment.WIDEST),
        custom(Amp.whiteList(), Selection.of(Softmax.class)));
    ArgumentException e =
        assertThrows(ArgumentException.class, () -> custom(Selection.none(), Selection.none()));
    assertTrue(e.problem().fix().contains("Amp.whiteList()"), e.problem().fix());
    assertThrows(ArgumentException.class, () -> custom(Amp.whiteList(), Amp.whiteList()));
  }

  @Test
  void whatIsOnNoAllowListComputesAsWidelyAsItsInputs() {
    Cell mixed =
        Amp.customMixedPrecision(three(), Selection.of(Conv1.class), Selection.none(), DType.FP16);
    assertEquals(List.of(DType.FP32, DType.FP16, DType.FP16), inputs(spy -> spy, mixed, "Dense"));
    assertEquals(List.of(DType.FP32), inputs(spy -> spy, mixed, "Softmax"));
    Cell both =
        Amp.customMixedPrecision(
            three(), Selection.of("Dense"), Amp.blackList().without("Softmax"), DType.FP16);
    assertEquals(List.of(DType.FP16, DType.FP16, DType.FP16), inputs(spy -> spy, both, "Dense"));
    assertEquals(List.of(DType.FP32), inputs(spy -> spy, both, "LayerNorm"));
  }
}
