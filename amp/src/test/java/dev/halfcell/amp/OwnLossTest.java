package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.amp.precision.Treatment;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.L1Loss;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.Parameter;
import dev.halfcell.nn.Softmax;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.StepResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A loss that a user composes of ops and of other cells is a loss by what it is used as. */
final class OwnLossTest {
  private static final TensorSpec ONE = TensorSpec.of(DType.FP32, 1, 1);

  private static StepResult step(Cell loss, Level level, double scale, double weight, double to) {
    AmpOptions options =
        AmpOptions.defaults()
            .backend(new ReferenceBackend())
            .seed(1)
            .lossScale(LossScale.fixed(scale));
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(new Times(weight), loss, new Sgd(1e-4), level, options)) {
      return train.run(Tensor.of(scope, ONE, 1), Tensor.of(scope, ONE, to));
    }
  }

  /** 300 squared is more than FP16 has. */
  @ParameterizedTest
  @EnumSource(Level.class)
  void itComputesInFp32(Level level) {
    StepResult result = step(new SquaredError(), level, 1, 300, 0);
    assertTrue(result.applied());
    assertEquals(90_000, result.loss());
  }

  /** The scale is more than FP16 has, so that no loss may be half on its way to the seed. */
  @ParameterizedTest
  @EnumSource(Level.class)
  void partsOfALossAreAddedInFp32(Level level) {
    double near = 1 - 0x1p-10;
    StepResult result = step(new Combined(), level, 65_536, 1, near);
    assertTrue(result.applied());
    double expected = 0x1p-20 + 0.1f * 0x1p-10;
    assertEquals(expected, result.loss(), 1e-9);
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void cellsInALossAreFp32UnlessTheyHaveFlags(Level level) {
    Cell net = new WithLossCell(new Times(1), new Combined());
    PrecisionPlan plan = Amp.plan(net, level, AmpOptions.defaults());
    for (String path : new String[] {"/loss_fn", "/loss_fn/square", "/loss_fn/helper"}) {
      assertEquals(Treatment.FULL, plan.treatment(new CellPath(path)), path);
    }
    Combined flagged = new Combined();
    flagged.helper.toFloat(DType.BF16);
    Cell other = new WithLossCell(new Times(1), flagged);
    PrecisionPlan half = Amp.plan(other, level, AmpOptions.defaults());
    assertTrue(half.treatment(new CellPath("/loss_fn/helper")) != Treatment.FULL, "flagged");
  }

  private static final class Times extends Cell {
    private final Parameter weight;

    Times(double start) {
      weight = parameter("weight", new Initializer.Constant(start));
    }

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.ops().mul(f.read(weight), f.only(in));
    }
  }

  private static final class SquaredError extends Cell {
    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      Tensor apart = f.ops().sub(in[0], in[1]);
      return f.ops().mean(f.ops().mul(apart, apart), 0, 1);
    }
  }

  private static final class Combined extends Cell {
    private final Cell square = child("square", new MSELoss());
    private final Cell absolute = child("absolute", new L1Loss());
    private final Cell helper = child("helper", new Softmax());

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      Tensor second = f.ops().scale(f.call(absolute, in), 0.1);
      return f.ops().add(f.call(square, in), second);
    }
  }
}
