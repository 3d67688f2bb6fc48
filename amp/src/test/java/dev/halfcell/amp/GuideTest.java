package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Decision;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.MaxPool2d;
import dev.halfcell.nn.PrecisionFlag;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.Execution;
import dev.halfcell.train.StepResult;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The two programs of MindSpore's mixed-precision guide, and the cells that they construct. */
class GuideTest {
  private static final AmpOptions OPTIONS =
      AmpOptions.defaults()
          .backend(new ReferenceBackend())
          .execution(new Execution.Planned(PlanOptions.PLAIN));
  private static final Momentum MOMENTUM = new Momentum(0.1, 0.9);

  private final TensorScope scope = TensorScope.open();
  private final Tensor data = data();
  private final Tensor label = scope.allocate(TensorSpec.of(DType.FP32, 1, 10));

  private Tensor data() {
    double[] x = new double[32 * 32];
    Arrays.fill(x, 0.01);
    return Tensor.of(scope, TensorSpec.of(DType.FP32, 1, 1, 32, 32), x);
  }

  @AfterEach
  void close() {
    scope.close();
  }

  /** The guide's LeNet-5. */
  private static final class LeNet5 extends Cell {
    private final Cell conv1 = child("conv1", new Conv2d(1, 6, 5));
    private final Cell conv2 = child("conv2", new Conv2d(6, 16, 5));
    private final Cell fc1 = child("fc1", new Dense(16 * 5 * 5, 120));
    private final Cell fc2 = child("fc2", new Dense(120, 84));
    private final Cell fc3;
    private final Cell relu = child("relu", new ReLU());
    private final Cell pool = child("max_pool2d", new MaxPool2d(2));
    private final Cell flatten = child("flatten", new Flatten());

    LeNet5(Cell fc3) {
      this.fc3 = child("fc3", fc3);
    }

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      Tensor x = f.call(pool, f.call(relu, f.call(conv1, in)));
      x = f.call(flatten, f.call(pool, f.call(relu, f.call(conv2, x))));
      x = f.call(relu, f.call(fc2, f.call(relu, f.call(fc1, x))));
      return f.call(fc3, x);
    }
  }

  @Test
  void theProgramOfBuildTrainNetworkTakesTheScaleOfTheCall() {
    Cell net = new WithLossCell(new LeNet5(new Dense(84, 10)), new MSELoss());
    try (TrainStepCell train = Amp.buildTrainNetwork(net, MOMENTUM, Level.of("O2"), OPTIONS)) {
      assertInstanceOf(TrainOneStepWithLossScaleCell.class, train);
      Map<Variable, Tensor> start = train.state().snapshot(scope);
      StepResult first = train.run(data, label, 1.0);
      assertTrue(first.applied() && first.lossFinite(), first.toString());
      assertEquals(1, first.usedScale());
      assertEquals(0x1p16, first.nextScale(), "the scale that is kept does not move");
      Variable weight = new Variable(Variable.Kind.PARAMETER, new CellPath("/fc3/weight"));
      assertTrue(Points.moved(start, train.state().values()).contains(weight));
      StepResult second = train.run(data, label, 1.0);
      assertTrue(second.loss() < first.loss(), second.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theProgramOfManualFlagsLeavesOneCellInFp32InEitherOrder(boolean fc3First) {
    Cell fc3 = new Dense(84, 10);
    if (fc3First) {
      fc3.addFlagsRecursive(PrecisionFlag.FP32);
    }
    Cell net = new LeNet5(fc3).addFlagsRecursive(PrecisionFlag.FP16);
    if (!fc3First) {
      fc3.addFlagsRecursive(PrecisionFlag.FP32);
    }
    try (TrainStepCell train =
        new TrainOneStepWithLossScaleCell(
            new WithLossCell(net, new MSELoss()), MOMENTUM, OPTIONS)) {
      StepResult result = train.run(data, label, 1.0);
      assertTrue(result.applied(), result.toString());
      assertEquals(1, result.usedScale());
      Map<CellPath, Decision> cells = train.plan().cells();
      List<String> inFp32 =
          cells.keySet().stream()
              .filter(path -> !Optional.ofNullable(cells.get(path)).orElseThrow().inHalf())
              .map(CellPath::text)
              .toList();
      assertEquals(List.of("/fc3", "/loss_fn"), inFp32);
    }
  }

  @Test
  void aCellWithoutAManagerAndWithoutAScaleSaysBothWays() {
    Cell net = new WithLossCell(new LeNet5(new Dense(84, 10)), new MSELoss());
    try (TrainStepCell train = new TrainOneStepWithLossScaleCell(net, MOMENTUM, OPTIONS)) {
      Map<Variable, Tensor> start = train.state().snapshot(scope);
      UsageException e = assertThrows(UsageException.class, () -> train.run(data, label));
      assertTrue(e.problem().fix().contains("run(data, label, scalingSens)"));
      assertTrue(e.problem().fix().contains("LossScale.dynamic()"));
      assertTrue(Points.sameBits(start, train.state().values()));
    }
  }

  @Test
  void aCellWithAManagerKeepsItsScale() {
    Cell net = new WithLossCell(new LeNet5(new Dense(84, 10)), new MSELoss());
    AmpOptions managed = OPTIONS.lossScale(LossScale.dynamic());
    try (TrainOneStepWithLossScaleCell train =
        new TrainOneStepWithLossScaleCell(net, MOMENTUM, managed)) {
      assertEquals(0x1p16, train.run(data, label).usedScale());
      assertEquals(0x1p16, train.lossScale());
      assertEquals(LossScale.dynamic(), train.rule());
    }
  }

  @Test
  void sensScalesTheBackwardPassAndIsDividedOutAgain() {
    Cell net = new WithLossCell(new LeNet5(new Dense(84, 10)), new MSELoss());
    AmpOptions sens = OPTIONS.lossScale(LossScale.fixed(64));
    try (TrainStepCell plain = new TrainOneStepCell(net, MOMENTUM, OPTIONS);
        TrainStepCell scaled = new TrainOneStepCell(net, MOMENTUM, sens)) {
      assertEquals(1, plain.run(data, label).usedScale());
      assertEquals(64, scaled.run(data, label).usedScale());
      Variable weight = new Variable(Variable.Kind.PARAMETER, new CellPath("/fc3/weight"));
      assertTrue(plain.state().read(weight).sameBits(scaled.state().read(weight)));
    }
    assertThrows(
        ArgumentException.class,
        () -> new TrainOneStepCell(net, MOMENTUM, OPTIONS.lossScale(LossScale.dynamic())));
  }
}
