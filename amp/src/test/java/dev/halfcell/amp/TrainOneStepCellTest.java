package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
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
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The train cells, made by their constructors as MindSpore's guide does. */
class TrainOneStepCellTest {
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

  private static Cell network() {
    Cell net = new Sequential(new Flatten(), new Dense(32 * 32, 20), new ReLU(), new Dense(20, 10));
    return new WithLossCell(net, new MSELoss());
  }

  @Test
  void aCellWithoutAManagerAndWithoutAScaleSaysBothWays() {
    Cell net = network();
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
    Cell net = network();
    AmpOptions managed = OPTIONS.lossScale(LossScale.dynamic());
    try (TrainOneStepWithLossScaleCell train =
        new TrainOneStepWithLossScaleCell(net, MOMENTUM, managed)) {
      assertEquals(0x1p16, train.run(data, label).usedScale());
      assertEquals(0x1p16, train.lossScale());
      assertEquals(LossScale.dynamic(), train.rule());
    }
  }

  @Test
  void aFixedScaleCountsOnAStateThatADynamicOneTrains() {
    Cell net = network();
    AmpOptions dynamic = OPTIONS.lossScale(LossScale.dynamic());
    try (TrainStepCell before = new TrainOneStepWithLossScaleCell(net, MOMENTUM, dynamic);
        TrainOneStepWithLossScaleCell after =
            new TrainOneStepWithLossScaleCell(
                net, MOMENTUM, OPTIONS.lossScale(LossScale.fixed(64)).state(before.state()))) {
      assertEquals(0x1p16, before.run(data, label).usedScale());
      assertEquals(64, after.lossScale());
      assertEquals(64, after.run(data, label).usedScale());
      assertEquals(0x1p16, before.run(data, label).usedScale());
    }
  }

  @Test
  void sensScalesTheBackwardPassAndIsDividedOutAgain() {
    Cell net = network();
    AmpOptions sens = OPTIONS.lossScale(LossScale.fixed(64));
    try (TrainStepCell plain = new TrainOneStepCell(net, MOMENTUM, OPTIONS);
        TrainStepCell scaled = new TrainOneStepCell(net, MOMENTUM, sens)) {
      assertEquals(1, plain.run(data, label).usedScale());
      assertEquals(64, scaled.run(data, label).usedScale());
      Variable weight = new Variable(Variable.Kind.PARAMETER, new CellPath("/3/weight"));
      assertTrue(plain.state().read(weight).sameBits(scaled.state().read(weight)));
    }
    assertThrows(
        ArgumentException.class,
        () -> new TrainOneStepCell(net, MOMENTUM, OPTIONS.lossScale(LossScale.dynamic())));
  }
}
