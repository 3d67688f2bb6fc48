package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.Parameter;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Execution;
import dev.halfcell.train.PrecisionRules;
import dev.halfcell.train.Recipe;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainLoop;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.TrainStep;
import java.util.List;

/** A training of one weight, whose gradient is the number that it is given. One thread. */
final class ScaleTraining implements AutoCloseable {
  private static final Optimizer SGD = new Sgd(0x1p-10);

  private final TensorScope scope = TensorScope.open();
  private final Tensor x = scope.allocate(TensorSpec.of(DType.FP32));
  private final Tensor samples = scope.allocate(TensorSpec.of(DType.INT64, 1));
  private final TrainState state;
  private final TrainLoop loop;

  ScaleTraining(LossScale rule, Backend backend, Execution execution) {
    Cell net = new Times();
    state = TrainState.of(net, SGD, 1);
    Recipe recipe = Recipe.standard(net, SGD);
    TrainStep step = new TrainStep(net, PrecisionRules.none(), rule, recipe);
    loop = new TrainLoop(step, state, backend, execution);
  }

  /** Takes a step whose gradient is this number. */
  StepResult step(double gradient) {
    Elements.set(x.data(), DType.FP32, 0, gradient);
    return loop.step(new Batch(List.of(x), samples));
  }

  TrainState state() {
    return state;
  }

  @Override
  public void close() {
    loop.close();
    state.close();
    scope.close();
  }

  /** w · x, the loss itself. */
  private static final class Times extends Cell {
    private final Parameter weight = parameter("weight", new Initializer.Constant(1));

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.ops().mul(f.read(weight), f.only(in));
    }
  }
}
