package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.diagnosis.Diagnosis;
import dev.halfcell.amp.diagnosis.Exponents;
import dev.halfcell.amp.diagnosis.UnderflowReport;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.Treatment;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Direction;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Execution;
import dev.halfcell.train.Inference;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.diagnosis.Offender;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is done on every backend about a cell whose values FP16 does not hold, and about gradients
 * that it flushes to 0.
 */
public abstract class HalfTroubleContract extends OnBackend {
  private static final CellPath SQUARE = new CellPath("/0");
  private static final double FAINT = 0x1p-24;
  private static final int CLASSES = 4;

  static List<Execution> executions() {
    return List.of(
        new Execution.Eager(),
        new Execution.Planned(PlanOptions.PLAIN),
        new Execution.Planned(PlanOptions.FULL));
  }

  /** (x² − 300²) / 300, which is small for x around 300; x² is beyond FP16. */
  private static final class Square extends Cell {
    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      Tensor x = f.only(in);
      return f.ops().affine(f.ops().mul(x, x), 1.0 / 300, -300);
    }
  }

  /** A loss whose gradients are all below 2^-24. */
  private static final class FaintLoss extends Cell {
    private final Cell loss = child("loss", new SoftmaxCrossEntropyLoss());

    @Override
    public PrecisionClass precision() {
      return PrecisionClass.FULL;
    }

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.ops().affine(f.call(loss, in), FAINT, 0);
    }
  }

  /** Of eight numbers from {@code least} on, the two that the label names are larger by 1. */
  private Batch batch(int number, int size, double least) {
    Generator generator = new Generator(number);
    double[] x = new double[size * 8];
    double[] labels = new double[size];
    double[] samples = new double[size];
    for (int n = 0; n < size; n++) {
      labels[n] = n % CLASSES;
      samples[n] = (double) number * size + n;
      for (int i = 0; i < 8; i++) {
        x[n * 8 + i] = least + (i / 2 == n % CLASSES ? 1 : 0) + 0.1 * Math.abs(generator.normal());
      }
    }
    return new Batch(
        List.of(
            Tensor.of(scope(), TensorSpec.of(DType.FP32, size, 8), x),
            Tensor.of(scope(), TensorSpec.of(DType.INT64, size), labels)),
        Tensor.of(scope(), TensorSpec.of(DType.INT64, size), samples));
  }

  private AmpOptions options(Execution execution) {
    return AmpOptions.defaults().backend(backend()).execution(execution);
  }

  private static TrainStepCell squares(Level level, AmpOptions options) {
    return Amp.buildTrainNetwork(
        new Sequential(new Square(), new Dense(8, 16), new ReLU(), new Dense(16, CLASSES)),
        new SoftmaxCrossEntropyLoss(),
        new Momentum(0.02, 0.9),
        level,
        options);
  }

  private void squares(TrainStepCell train, int from, int to) {
    for (int i = from; i < to; i++) {
      train.run(batch(i, 16, 300));
    }
  }

  /** The share in a hundred of a thousand unseen samples whose label is found. */
  private double accuracy(TrainStepCell train) {
    Batch unseen = batch(9999, 1000, 300);
    try (Inference inference = train.inference()) {
      double[] logits = inference.run(unseen.inputs().getFirst()).toArray();
      int right = 0;
      for (int n = 0; n < 1000; n++) {
        double[] row = Arrays.copyOfRange(logits, CLASSES * n, CLASSES * (n + 1));
        right += row[n % CLASSES] == Arrays.stream(row).max().orElseThrow() ? 1 : 0;
      }
      return right / 10.0;
    }
  }

  @ParameterizedTest
  @MethodSource("executions")
  final void aCellThatOverflowsInTheForwardIsNamed(Execution execution) {
    AmpOptions watched = options(execution).diagnosis(Diagnosis.on());
    try (TrainStepCell train = squares(Level.O2, watched)) {
      StepResult result = train.run(batch(0, 16, 300));
      assertTrue(result.overflow() && !result.applied(), result.toString());
      Offender offender = result.firstOffender().orElseThrow();
      assertEquals(SQUARE, offender.path());
      assertEquals("Mul", offender.op());
      assertEquals(Direction.FORWARD, offender.direction());
    }
  }

  @ParameterizedTest
  @MethodSource("executions")
  final void itAloneIsDemotedAndTrainingEndsWhereO0Does(Execution execution) {
    try (TrainStepCell full = squares(Level.O0, options(execution));
        TrainStepCell stuck = squares(Level.O2, options(execution));
        TrainStepCell train = squares(Level.O2, options(execution).demotion(3, 200))) {
      squares(full, 0, 120);
      squares(stuck, 0, 20);
      squares(train, 0, 120);
      assertEquals(0, stuck.state().read(Variable.applied()).item(), "without it nothing moves");
      assertEquals(117, train.state().read(Variable.applied()).item());
      List<CellPath> inFull =
          train.plan().cells().keySet().stream()
              .filter(path -> train.plan().treatment(path) == Treatment.FULL)
              .filter(path -> stuck.plan().treatment(path) != Treatment.FULL)
              .toList();
      assertEquals(List.of(SQUARE), inFull);
      double exact = accuracy(full);
      assertTrue(exact > 90, "O0 learns: " + exact);
      assertEquals(exact, accuracy(train), 0.5);
    }
  }

  /** One that was made before has compiled the plan of half, which is no longer the network's. */
  @Test
  final void anInferenceFollowsADemotion() {
    AmpOptions options = options(new Execution.Planned(PlanOptions.FULL)).demotion(1, 1);
    try (TrainStepCell train = squares(Level.O2, options);
        Inference early = train.inference()) {
      Tensor x = batch(7, 16, 300).inputs().getFirst();
      assertTrue(Double.isNaN(Arrays.stream(early.run(x).toArray()).sum()), "half overflows");
      squares(train, 0, 2);
      try (Inference late = train.inference()) {
        assertTrue(Double.isFinite(Arrays.stream(late.run(x).toArray()).sum()));
        assertTrue(late.run(x).sameBits(early.run(x)));
      }
    }
  }

  private TrainStepCell faint(Level level, LossScale scale) {
    return Amp.buildTrainNetwork(
        new Sequential(new Dense(8, 16), new ReLU(), new Dense(16, CLASSES)),
        new FaintLoss(),
        new Sgd(0.5 / FAINT),
        level,
        options(new Execution.Planned(PlanOptions.FULL)).lossScale(scale));
  }

  private double lossAfter(TrainStepCell train, int steps) {
    double loss = Double.NaN;
    for (int i = 0; i < steps; i++) {
      loss = train.run(batch(i, 16, 0)).loss() / FAINT;
    }
    return loss;
  }

  @Test
  final void gradientsThatFp16FlushesTrainWithDynamicAndLogMaxScalesOnlyAndTheReportSaysWhy() {
    try (TrainStepCell full = faint(Level.O0, LossScale.none());
        TrainStepCell unscaled = faint(Level.O2, LossScale.none());
        TrainStepCell dynamic = faint(Level.O2, LossScale.dynamic());
        TrainStepCell logMax = faint(Level.O2, LossScale.logMax())) {
      UnderflowReport report = unscaled.underflow(batch(0, 16, 0));
      Exponents half = report.passedInHalf();
      assertTrue(half.largest() < 0x1p-24, "all below: " + half.largest());
      assertEquals(half.nonZero(), half.flushed(DType.FP16, 1), "all is lost at scale 1");
      assertTrue(report.text().contains("passed on in half: "), report::text);
      assertTrue(report.bestScale().orElseThrow() > 1, report::text);
      double start = lossAfter(unscaled, 1);
      assertEquals(start, lossAfter(unscaled, 60), 0.05, "unscaled it does not learn");
      double exact = lossAfter(full, 80);
      assertTrue(exact < 0.3 * start, "O0 learns: " + exact);
      assertEquals(exact, lossAfter(dynamic, 80), 0.05);
      assertEquals(exact, lossAfter(logMax, 80), 0.05);
    }
  }
}
