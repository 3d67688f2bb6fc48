package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.BatchNormOptions;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Dropout;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.RuleOptimizer;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.train.Accumulation;
import dev.halfcell.train.Checkpoint;
import dev.halfcell.train.Execution;
import dev.halfcell.train.Inference;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.Weights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds on every backend where roundings and storage are other than usual. */
public abstract class NumericsContract extends OnBackend {
  private static final Execution EAGER = new Execution.Eager();
  private static final Execution PLAIN = new Execution.Planned(PlanOptions.PLAIN);
  private static final Execution FULL = new Execution.Planned(PlanOptions.FULL);

  static List<RuleOptimizer> optimizers() {
    return OptimizerCase.rules();
  }

  private static AmpOptions half(AmpOptions options) {
    return options.halfParameters(true).stochasticRounding(true);
  }

  private static Cell network() {
    return network(BatchNormOptions.defaults());
  }

  private static Cell network(BatchNormOptions options) {
    return new Sequential(
        new Conv2d(2, 3, 5),
        new BatchNorm2d(3, options),
        new ReLU(),
        new Flatten(),
        new Dropout(0.25),
        new Dense(3 * 64, 5));
  }

  /** At O2 in BF16, which holds every optimizer's epsilon. */
  private TrainStepCell train(
      RuleOptimizer optimizer, Execution execution, UnaryOperator<AmpOptions> change) {
    return train(network(), optimizer, execution, change);
  }

  private TrainStepCell train(
      Cell net, RuleOptimizer optimizer, Execution execution, UnaryOperator<AmpOptions> change) {
    AmpOptions options =
        AmpOptions.defaults()
            .half(DType.BF16)
            .backend(backend())
            .execution(execution)
            .lossScale(LossScale.dynamic().from(256))
            .seed(3);
    return Amp.buildTrainNetwork(
        net, new SoftmaxCrossEntropyLoss(), optimizer, Level.O2, change.apply(options));
  }

  private TrainStepCell train(Execution execution, UnaryOperator<AmpOptions> change) {
    return train(new Momentum(0.05, 0.9), execution, change);
  }

  private Batch batch(int number) {
    return SmallTraining.batch(scope(), number, 4);
  }

  private void run(TrainStepCell train, int from, int to) {
    for (int i = from; i < to; i++) {
      assertTrue(train.run(batch(i)).applied(), "step " + i);
    }
  }

  private static void requireSameBits(TrainStepCell one, TrainStepCell other) {
    assertEquals(List.of(), SmallTraining.moved(one.state().values(), other.state().values()));
  }

  @ParameterizedTest
  @MethodSource("optimizers")
  final void halfParametersHaveTheSameBitsEagerAndPlanned(RuleOptimizer optimizer) {
    try (TrainStepCell eager = train(optimizer, EAGER, NumericsContract::half);
        TrainStepCell plan = train(optimizer, PLAIN, NumericsContract::half)) {
      for (int i = 0; i < 3; i++) {
        assertEquals(eager.run(batch(i)), plan.run(batch(i)), "step " + i);
      }
      requireSameBits(eager, plan);
      plan.state().values().forEach((v, value) -> requireKept(v, value.dtype()));
    }
  }

  /** Parameters half; slots, statistics, sums of a window and the scale as ever. */
  private static void requireKept(Variable variable, DType dtype) {
    boolean parameter = variable.kind() == Variable.Kind.PARAMETER;
    assertEquals(parameter, dtype == DType.BF16, variable + " in " + dtype);
  }

  @Test
  final void otherRoundingsHaveTheSameBitsEagerAndPlanned() {
    List<UnaryOperator<AmpOptions>> changes = new ArrayList<>();
    changes.add(options -> options.stochasticRounding(true));
    changes.add(options -> options.castOverflow(CastOverflow.SATURATE).half(DType.FP16));
    changes.add(options -> options.halfParameters(true).acceptSwamping(true));
    changes.add(options -> half(options).accumulation(Accumulation.of(2)));
    changes.add(options -> half(options).ema(0.5));
    for (UnaryOperator<AmpOptions> change : changes) {
      try (TrainStepCell eager = train(EAGER, change);
          TrainStepCell plan = train(PLAIN, change);
          TrainStepCell usual = train(PLAIN, UnaryOperator.identity())) {
        for (int i = 0; i < 4; i++) {
          assertEquals(eager.run(batch(i)), plan.run(batch(i)), "step " + i);
          usual.run(batch(i));
        }
        requireSameBits(eager, plan);
        Variable weight = weight(usual);
        assertFalse(usual.state().read(weight).sameBits(plan.state().read(weight)), "no change");
      }
    }
  }

  /** The network is not changed, and computes what one does that is made of such cells. */
  @Test
  final void stableStatisticsOfAWholeNetworkAreThoseOfItsCells() {
    Momentum momentum = new Momentum(0.05, 0.9);
    Cell cells = network(BatchNormOptions.defaults().stableStatistics());
    try (TrainStepCell eager = train(EAGER, options -> options.stableStatistics(true));
        TrainStepCell plan = train(PLAIN, options -> options.stableStatistics(true));
        TrainStepCell own = train(cells, momentum, PLAIN, UnaryOperator.identity());
        TrainStepCell usual = train(PLAIN, UnaryOperator.identity())) {
      for (int i = 0; i < 3; i++) {
        StepResult result = eager.run(batch(i));
        assertEquals(result, plan.run(batch(i)), "step " + i);
        assertEquals(result, own.run(batch(i)), "step " + i);
      }
      requireSameBits(eager, plan);
      requireSameBits(own, plan);
      assertEquals(List.of(true), stable(plan));
      assertEquals(List.of(true), stable(own));
      assertEquals(List.of(false), stable(usual));
    }
  }

  /** Of each batch normalisation in the step. */
  private List<Boolean> stable(TrainStepCell train) {
    return train.loop().trace(batch(0).signature()).nodes().stream()
        .map(Graph.Node::op)
        .filter(BatchNorm.class::isInstance)
        .map(op -> ((BatchNorm) op).stable())
        .toList();
  }

  private static Variable weight(TrainStepCell train) {
    return train.state().values().keySet().iterator().next();
  }

  @Test
  final void aFullPlanRepeatsWhatItDrew() {
    try (TrainStepCell one = train(FULL, NumericsContract::half);
        TrainStepCell other = train(FULL, NumericsContract::half)) {
      run(one, 0, 4);
      run(other, 0, 4);
      requireSameBits(one, other);
    }
  }

  @Test
  final void aSavedRunOfHalfParametersGoesOnWithTheSameBits() throws IOException {
    Path file = Files.createTempFile("numerics", ".safetensors");
    try (TrainStepCell through = train(FULL, NumericsContract::half);
        TrainStepCell resumed = train(FULL, NumericsContract::half)) {
      run(through, 0, 2);
      Checkpoint.write(through.state(), file);
      run(through, 2, 4);
      Checkpoint.read(resumed.state(), file);
      run(resumed, 2, 4);
      requireSameBits(through, resumed);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  @Test
  final void weightsOfHalfParametersAreReadAtOtherLevelsAndBack() throws IOException {
    Path file = Files.createTempFile("numerics", ".safetensors");
    Path again = Files.createTempFile("numerics", ".safetensors");
    try (TrainStepCell half = train(FULL, NumericsContract::half);
        TrainStepCell full = train(FULL, UnaryOperator.identity());
        TrainStepCell back = train(FULL, NumericsContract::half)) {
      run(half, 0, 2);
      Weights.write(half.state(), file);
      Weights.read(full.state(), file);
      Variable weight = weight(half);
      assertEquals(DType.FP32, full.state().read(weight).dtype());
      assertEquals(half.state().read(weight).at(0), full.state().read(weight).at(0));
      Weights.write(full.state(), again);
      assertEquals(-1, Files.mismatch(file, again));
      Weights.read(back.state(), again);
      assertTrue(half.state().read(weight).sameBits(back.state().read(weight)));
      assertTrue(predicted(half).sameBits(predicted(back)));
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(again);
    }
  }

  private Tensor predicted(TrainStepCell train) {
    try (Inference inference = train.inference()) {
      return scope().copy(inference.run(batch(9).inputs().getFirst()));
    }
  }

  @Test
  final void theReportSaysWhatHalfParametersSave() {
    try (TrainStepCell half = train(FULL, NumericsContract::half);
        TrainStepCell full = train(FULL, UnaryOperator.identity())) {
      PlanReport saving = half.loop().report(batch(0).signature());
      PlanReport usual = full.loop().report(batch(0).signature());
      long parameters =
          full.state().values().entrySet().stream()
              .filter(entry -> entry.getKey().kind() == Variable.Kind.PARAMETER)
              .mapToLong(entry -> entry.getValue().spec().bytes())
              .sum();
      assertEquals(parameters / 2, usual.stateBytes() - saving.stateBytes());
    }
  }
}
