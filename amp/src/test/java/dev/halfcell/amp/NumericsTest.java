package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.Parameter;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.Lars;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.ParameterGroup;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Inference;
import dev.halfcell.train.ParameterStorage;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainState;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the options say about how it is computed in half. */
class NumericsTest {
  private static final AmpOptions OPTIONS = AmpOptions.defaults().backend(new ReferenceBackend());

  /** One step of a dense layer at O2 whose input is beyond FP16. */
  private static StepResult stepBeyondHalf(AmpOptions options) {
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(
                new Dense(1, 1, new Initializer.Constant(1), new Initializer.Constant(0)),
                new MSELoss(),
                new Sgd(1e-12),
                Level.O2,
                options)) {
      Tensor x = Tensor.of(scope, TensorSpec.of(DType.FP32, 1, 1), 1e5);
      return train.run(x, Tensor.of(scope, TensorSpec.of(DType.FP32, 1, 1), 65503));
    }
  }

  @Test
  void aCastToHalfGivesAnInfinityUnlessAnotherModeIsAskedFor() {
    AmpOptions unscaled = OPTIONS.lossScale(LossScale.none());
    assertEquals(Double.POSITIVE_INFINITY, stepBeyondHalf(unscaled).loss());
    assertTrue(Double.isNaN(stepBeyondHalf(unscaled.castOverflow(CastOverflow.NAN)).loss()));
    StepResult saturated = stepBeyondHalf(unscaled.castOverflow(CastOverflow.SATURATE));
    assertEquals(1, saturated.loss(), "65504 - 65503, squared");
    assertTrue(saturated.applied());
  }

  /** A parameter that a step moves by the learning rate: loss = −w. */
  private static final class Counter extends Cell {
    private final Parameter w = parameter("w", new Initializer.Constant(0), 1);

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.ops().mean(f.ops().mul(f.only(in), f.read(w)), 0);
    }
  }

  /** What w is after 10,000 steps of 0.0001. */
  private static double counted(AmpOptions options) {
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(new Counter(), new Sgd(1e-4), Level.O0, options)) {
      Tensor x = Tensor.of(scope, TensorSpec.of(DType.FP32, 1), -1);
      Batch batch = new Batch(List.of(x), scope.allocate(TensorSpec.of(DType.INT64, 1)));
      for (int i = 0; i < 10_000; i++) {
        train.run(batch);
      }
      Variable w = new Variable(Variable.Kind.PARAMETER, new CellPath("/w"));
      return train.state().read(w).item();
    }
  }

  @Test
  void tenThousandSmallStepsOfAHalfParameterAddUpStochasticallyAndAreSwampedToNearest() {
    AmpOptions half = OPTIONS.halfParameters(true);
    assertEquals(0.25, counted(half.acceptSwamping(true)));
    assertEquals(1, counted(half.stochasticRounding(true)), 0.05);
  }

  @Test
  void halfParametersWantStochasticRoundingOrAWordThatSwampingIsAccepted() {
    AmpOptions half = OPTIONS.halfParameters(true);
    refused(half, new Sgd(0.1), "an update of less than half a place of its parameter is lost");
    refused(OPTIONS.acceptSwamping(true), new Sgd(0.1), "halfParameters(true)");
    refused(
        half.stochasticRounding(true).acceptSwamping(true), new Sgd(0.1), "rounding to nearest");
  }

  @Test
  void hyperParametersThatHalfRoundsToZeroAreErrorsWhereTheStateIsHalf() {
    AmpOptions half = OPTIONS.halfParameters(true).stochasticRounding(true);
    refused(
        half, new Adam(0.1), "[epsilon] at halfParameters(true): expected a number that is not");
    refused(half, new Sgd(1e-8), "[learning rate]");
    refused(half, new Sgd(new Schedule.Constant(0.1), 1e-8), "[weight decay]");
    refused(half, new Sgd(0.1).groups(ParameterGroup.of("/w").weightDecay(1e-9)), "1.0E-9");
    for (Optimizer fine :
        List.of(
            new Adam(new Schedule.WarmUp(5, new Schedule.Constant(0.1)), 0.9, 0.99, 1e-7, 0),
            new Lars(new Schedule.Constant(0.1), 0.1, 0.9, 0),
            new Momentum(0.1, 0.9),
            new Sgd(0.1).groups(ParameterGroup.of("/w").frozen()))) {
      built(half, fine).close();
    }
    built(half.half(DType.BF16), new Adam(0.1)).close();
    built(OPTIONS, new Adam(0.1)).close();
  }

  private static TrainStepCell built(AmpOptions options, Optimizer optimizer) {
    return Amp.buildTrainNetwork(new Counter(), optimizer, Level.O0, options);
  }

  private static void refused(AmpOptions options, Optimizer optimizer, String saying) {
    ArgumentException e = assertThrows(ArgumentException.class, () -> built(options, optimizer));
    assertTrue(e.problem().message().contains(saying), e.problem().message());
  }

  @Test
  void aStateThatIsPassedSaysItselfHowItKeepsParameters() {
    AmpOptions half = OPTIONS.halfParameters(true).stochasticRounding(true);
    Optimizer sgd = new Sgd(0.1);
    ParameterStorage storage = ParameterStorage.stochastic(DType.FP16);
    try (TrainState full = TrainState.of(new Counter(), sgd, 1);
        TrainState stored = TrainState.of(new Counter(), 1, storage)) {
      refused(half.state(full), sgd, "state with ParameterStorage[dtype=FP16, stochastic=true]");
      built(half.state(stored), sgd).close();
      built(OPTIONS.state(stored), sgd).close();
    }
  }

  @Test
  void explainSaysWhatIsUnusual() {
    AmpOptions options =
        OPTIONS
            .castOverflow(CastOverflow.NAN)
            .stochasticRounding(true)
            .halfParameters(true)
            .stableStatistics(true);
    assertTrue(
        Amp.plan(new Counter(), Level.O2, options)
            .explain()
            .endsWith(
                """
                casts to half overflow to NAN
                rounding to half is stochastic
                parameters are kept in half, without fp32 masters
                batch statistics take the mean first, in two passes
                """));
  }

  @Test
  void castsAreStochasticInTrainingAndToNearestInEvaluation() {
    Cell net = new Dense(1, 1, new Initializer.Constant(1), new Initializer.Constant(0));
    AmpOptions options = OPTIONS.stochasticRounding(true).lossScale(LossScale.none());
    double[] between = new double[64];
    Arrays.fill(between, 1 + 0x1p-12);
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(net, new MSELoss(), new Sgd(1e-7), Level.O2, options);
        Inference inference = train.inference()) {
      Tensor x = Tensor.of(scope, TensorSpec.of(DType.FP32, 64, 1), between);
      double[] ones = new double[64];
      Arrays.fill(ones, 1);
      assertArrayEquals(ones, inference.run(x).toArray());
      Tensor label = Tensor.of(scope, x.spec(), ones);
      double loss = train.run(x, label).loss();
      double share = loss / (0x1p-10 * 0x1p-10); // of the rows that were rounded up
      assertEquals(0.25, share, 0.16, "three standard deviations of 64 rows");
    }
  }

  @Test
  void nnablasTypeConfigIsALevel() {
    assertEquals(Level.O2, Level.ofTypeConfig("half"));
    assertEquals(Level.O0, Level.ofTypeConfig("float"));
    ArgumentException e = assertThrows(ArgumentException.class, () -> Level.ofTypeConfig("double"));
    assertTrue(e.problem().message().contains("half or float"), e.problem().message());
  }
}
