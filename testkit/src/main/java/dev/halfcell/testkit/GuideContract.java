package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainOneStepWithLossScaleCell;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Decision;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.MaxPool2d;
import dev.halfcell.nn.Parameter;
import dev.halfcell.nn.PrecisionFlag;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Execution;
import dev.halfcell.train.StepResult;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The programs of MindSpore's mixed-precision guide, and the case of all ones of its tests of loss
 * scaling, on every backend, op by op and planned.
 */
public abstract class GuideContract extends OnBackend {
  private static final Momentum MOMENTUM = new Momentum(0.1, 0.9);
  private static final Initializer ONE = new Initializer.Constant(1);

  static List<Execution> executions() {
    return List.of(
        new Execution.Eager(),
        new Execution.Planned(PlanOptions.PLAIN),
        new Execution.Planned(PlanOptions.FULL));
  }

  static Stream<Arguments> executionsInEitherOrder() {
    return executions().stream()
        .flatMap(each -> Stream.of(true, false).map(first -> Arguments.of(each, first)));
  }

  private AmpOptions options(Execution execution) {
    return AmpOptions.defaults().backend(backend()).execution(execution);
  }

  private Tensor filled(double value, int... shape) {
    TensorSpec spec = TensorSpec.of(DType.FP32, shape);
    double[] values = new double[(int) spec.size()];
    Arrays.fill(values, value);
    return Tensor.of(scope(), spec, values);
  }

  private Tensor data() {
    return filled(0.01, 1, 1, 32, 32);
  }

  private Tensor label() {
    return filled(0, 1, 10);
  }

  private static Variable parameter(String path) {
    return new Variable(Variable.Kind.PARAMETER, new CellPath(path));
  }

  /** The guide's LeNet-5, its last layer as it was made. */
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

  @ParameterizedTest
  @MethodSource("executions")
  final void theProgramOfBuildTrainNetworkLearns(Execution execution) {
    Cell net = new WithLossCell(new LeNet5(new Dense(84, 10)), new MSELoss());
    try (TrainStepCell train =
        Amp.buildTrainNetwork(net, MOMENTUM, Level.of("O2"), options(execution))) {
      assertInstanceOf(TrainOneStepWithLossScaleCell.class, train);
      Map<Variable, Tensor> start = train.state().snapshot(scope());
      StepResult first = train.run(data(), label(), 1.0);
      StepResult second = train.run(data(), label(), 1.0);
      assertTrue(first.applied() && second.applied() && first.lossFinite(), first.toString());
      assertEquals(0x1p16, first.nextScale(), "the scale that is kept does not move");
      assertEquals(List.of(1.0, 1.0), List.of(first.usedScale(), second.usedScale()));
      assertTrue(second.loss() < first.loss(), first + " and then " + second);
      List<Variable> moved = SmallTraining.moved(start, train.state().values());
      for (String layer : List.of("conv1", "conv2", "fc1", "fc2", "fc3")) {
        assertTrue(moved.contains(parameter("/" + layer + "/weight")), layer);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("executionsInEitherOrder")
  final void theProgramOfManualFlagsLeavesOneCellInFp32(Execution execution, boolean fc3First) {
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
            new WithLossCell(net, new MSELoss()), MOMENTUM, options(execution))) {
      StepResult first = train.run(data(), label(), 1.0);
      StepResult second = train.run(data(), label(), 1.0);
      assertTrue(first.applied() && second.applied(), first + ", then " + second);
      assertTrue(second.loss() < first.loss(), first + ", then " + second);
      assertEquals(1, first.usedScale());
      train
          .plan()
          .cells()
          .forEach(
              (path, decision) -> assertEquals(expected(path), decision.computes(), path + ""));
      assertEquals(expected(CellPath.ROOT), of(train, CellPath.ROOT).computes());
    }
  }

  private static Decision of(TrainStepCell train, CellPath path) {
    return train.plan().cells().entrySet().stream()
        .filter(cell -> cell.getKey().equals(path))
        .findFirst()
        .orElseThrow()
        .getValue();
  }

  /** The loss is FP32 at every level; of the network all but the one layer are FP16. */
  private static String expected(CellPath path) {
    return List.of("/fc3", "/loss_fn").contains(path.text()) ? "fp32" : "fp16";
  }

  /** A dense layer whose output has a parameter added to it, the gradient of which is dL/dy. */
  private static final class Ones extends Cell {
    private final Cell dense = child("dense", new Dense(16, 16, ONE, ONE));
    private final Parameter offset = parameter("offset", new Initializer.Constant(0), 16, 16);

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.ops().add(f.call(dense, in), f.read(offset));
    }
  }

  @ParameterizedTest
  @MethodSource("executions")
  final void ofAllOnesTheSeventhStepIsTheFirstAppliedAndItsNumbersAreExact(Execution execution) {
    AmpOptions from24 = options(execution).lossScale(LossScale.dynamic().from(0x1p24));
    try (TrainStepCell train =
        Amp.buildTrainNetwork(new Ones(), new MSELoss(), new Sgd(1), Level.O2, from24)) {
      Tensor x = filled(1, 16, 16);
      Tensor label = filled(0, 16, 16);
      for (int skipped = 0; skipped < 6; skipped++) {
        StepResult result = train.run(x, label);
        assertTrue(result.overflow() && !result.applied(), "step " + skipped + ": " + result);
        assertEquals(289, result.loss());
      }
      StepResult applied = train.run(x, label);
      assertTrue(applied.applied());
      assertEquals(289, applied.loss());
      assertEquals(0x1p18, applied.usedScale());
      for (int i = 0; i < 256; i++) {
        assertEquals(-0.1328125, train.state().read(parameter("/offset")).at(i));
        assertEquals(1 - 2.125, train.state().read(parameter("/dense/weight")).at(i));
      }
    }
  }
}
