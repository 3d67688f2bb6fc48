package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Dropout;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.GradientClip;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Accumulation;
import dev.halfcell.train.Execution;
import dev.halfcell.train.OverflowPolicy;
import dev.halfcell.train.PrecisionRules;
import dev.halfcell.train.Recipe;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.StepRules;
import dev.halfcell.train.TrainLoop;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.TrainStep;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a refused step leaves and what trying it again gives, of a network with normalisation and
 * dropout, a schedule, clipping and an optimizer with slots.
 */
public abstract class RefusedStepContract extends OnBackend {
  /** How steps are run. */
  protected enum Way {
    EAGER,
    PLAIN,
    FULL;

    private Execution execution() {
      return switch (this) {
        case EAGER -> new Execution.Eager();
        case PLAIN -> new Execution.Planned(PlanOptions.PLAIN);
        case FULL -> new Execution.Planned(PlanOptions.FULL);
      };
    }
  }

  private static final Variable POISONED =
      new Variable(Variable.Kind.PARAMETER, new CellPath("/0/weight"));
  private static final Initializer ZERO = new Initializer.Constant(0);
  private static final TensorSpec POISON = TensorSpec.of(DType.FP32, 3, 2, 5, 5);
  private static final Optimizer ADAM =
      new Adam(new Schedule.WarmUp(20, new Schedule.Constant(0.05)), 0.9, 0.999, 1e-8, 0)
          .clip(GradientClip.byNorm(0.5));

  private static Cell network() {
    return new Sequential(
        new Conv2d(2, 3, 5),
        new BatchNorm2d(3),
        new ReLU(),
        new Flatten(),
        new Dropout(0.25),
        new Dense(3 * 64, 5));
  }

  private Batch batch(int number, Tensor poison) {
    Batch batch = SmallTraining.batch(scope(), number, 4);
    return new Batch(
        List.of(batch.inputs().get(0), batch.inputs().get(1), poison), batch.samples());
  }

  private static Recipe poisoned(Cell net) {
    return (step, in) -> {
      Tensor loss = step.forward(net, in.get(0), in.get(1));
      Map<Variable, Tensor> gradients = step.unscaledGradients(loss);
      gradients.computeIfPresent(POISONED, (_, g) -> step.gradientOps().add(g, in.get(2)));
      step.applyGradients(ADAM, gradients);
      return loss;
    };
  }

  @ParameterizedTest
  @EnumSource
  final void anInfinityInOneGradientLeavesAllThatIsGuardedAsItWas(Way way) {
    Cell net = new WithLossCell(network(), new SoftmaxCrossEntropyLoss());
    PrecisionPlan plan = Amp.plan(net, Level.O2, AmpOptions.defaults());
    TrainStep step =
        new TrainStep(
            net,
            plan,
            LossScale.dynamic().from(256),
            poisoned(net),
            Accumulation.none(),
            StepRules.defaults().ema(0.9));
    try (TrainState state = TrainState.of(net, ADAM, 1);
        TrainLoop loop = new TrainLoop(step, state, backend(), way.execution())) {
      Tensor poison = scope().allocate(POISON);
      assertTrue(loop.step(batch(0, poison)).applied());
      Map<Variable, Tensor> before = state.snapshot(scope());
      Elements.set(poison.data(), DType.FP32, 70, Double.POSITIVE_INFINITY);
      StepResult refused = loop.step(batch(1, poison));
      assertTrue(refused.overflow() && !refused.applied() && refused.lossFinite());
      List<Variable> moved = SmallTraining.moved(before, state.values());
      assertEquals(List.of(), moved.stream().filter(Variable::guarded).toList());
      assertEquals(128, refused.nextScale());
      Elements.set(poison.data(), DType.FP32, 70, 0);
      assertTrue(loop.step(batch(2, poison)).applied());
      List<Variable.Kind> kinds =
          SmallTraining.moved(before, state.values()).stream()
              .filter(Variable::guarded)
              .map(Variable::kind)
              .distinct()
              .toList();
      assertTrue(
          kinds.containsAll(
              List.of(
                  Variable.Kind.PARAMETER,
                  Variable.Kind.STATISTIC,
                  Variable.Kind.SLOT,
                  Variable.Kind.AVERAGE,
                  Variable.Kind.APPLIED)),
          "a step that is applied moves each kind: " + kinds);
    }
  }

  /** Sixteen gradients of 2¹²⁷: finite, but their norm is 2¹²⁹. */
  @ParameterizedTest
  @EnumSource
  final void finiteGradientsWhoseNormLeavesFp32AreClippedLikeAnyOthers(Way way) {
    Cell net = new WithLossCell(new Dense(4, 4, ZERO, ZERO), new MSELoss());
    Variable weight = new Variable(Variable.Kind.PARAMETER, CellPath.ROOT.child("weight"));
    Optimizer clipped = new Sgd(1).clip(GradientClip.byNorm(8));
    Recipe huge =
        (step, in) -> {
          Tensor loss = step.forward(net, in.get(0), in.get(1));
          Map<Variable, Tensor> gradients = step.unscaledGradients(loss);
          gradients.computeIfPresent(weight, (_, g) -> step.gradientOps().add(g, in.get(2)));
          step.applyGradients(clipped, gradients);
          return loss;
        };
    TrainStep step = new TrainStep(net, PrecisionRules.none(), LossScale.none(), huge);
    try (TrainState state = TrainState.of(net, clipped, 1);
        TrainLoop loop = new TrainLoop(step, state, backend(), way.execution())) {
      TensorSpec square = TensorSpec.of(DType.FP32, 4, 4);
      double[] values = new double[16];
      Arrays.fill(values, 0x1p127);
      Tensor gradient = Tensor.of(scope(), square, values);
      Tensor zeros = scope().allocate(square);
      Tensor samples = scope().allocate(TensorSpec.of(DType.INT64, 4));
      StepResult result = loop.step(new Batch(List.of(zeros, zeros, gradient), samples));
      assertTrue(result.applied());
      assertEquals(0x1p129, result.gradientNorm());
      Arrays.fill(values, -2);
      assertArrayEquals(values, state.read(weight).toArray());
    }
  }

  private TrainStepCell train(Way way, LossScale scale, OverflowPolicy policy) {
    AmpOptions options =
        AmpOptions.defaults()
            .backend(backend())
            .execution(way.execution())
            .lossScale(scale)
            .stochasticRounding(true)
            .overflowPolicy(policy);
    return Amp.buildTrainNetwork(network(), new SoftmaxCrossEntropyLoss(), ADAM, Level.O2, options);
  }

  /** Dropout and casts draw for the same samples and step, so that they draw the same. */
  @ParameterizedTest
  @EnumSource
  final void theSameBatchTriedAgainIsTheStepOfAFreshStateAtThatScale(Way way) {
    OverflowPolicy retry = OverflowPolicy.retrySameBatch(20);
    try (TrainStepCell tried = train(way, LossScale.dynamic().from(0x1p26), retry)) {
      StepResult applied = tried.run(SmallTraining.batch(scope(), 0, 4));
      assertTrue(applied.applied() && applied.tries() > 1, applied.toString());
      assertEquals(0x1p26 / Math.pow(2, applied.tries() - 1.0), applied.usedScale());
      assertEquals(applied.tries(), tried.state().read(Variable.seen()).item());
      LossScale same = LossScale.dynamic().from(applied.usedScale());
      try (TrainStepCell fresh = train(way, same, OverflowPolicy.skip())) {
        StepResult once = fresh.run(SmallTraining.batch(scope(), 0, 4));
        assertEquals(once.tried(applied.tries()), applied);
        assertEquals(
            List.of(Variable.seen()),
            SmallTraining.moved(fresh.state().values(), tried.state().values()));
        Batch next = SmallTraining.batch(scope(), 1, 4);
        assertEquals(fresh.run(next), tried.run(next));
      }
      assertFalse(
          theStepWithOtherRandomNumbers(way, same).sameBits(tried.state().read(POISONED)),
          "random numbers count");
    }
  }

  private Tensor theStepWithOtherRandomNumbers(Way way, LossScale scale) {
    Batch batch = SmallTraining.batch(scope(), 0, 4);
    Elements.set(batch.samples().data(), DType.INT64, 1, 77);
    try (TrainStepCell other = train(way, scale, OverflowPolicy.skip())) {
      other.run(batch);
      other.run(SmallTraining.batch(scope(), 1, 4));
      return scope().copy(other.state().read(POISONED));
    }
  }
}
