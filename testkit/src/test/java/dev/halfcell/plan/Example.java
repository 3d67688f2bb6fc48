package dev.halfcell.plan;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Graph;
import dev.halfcell.nn.AvgPool2d;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.ConvolutionOptions;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Dropout;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.MaxPool2d;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.stream.IntStream;

/** Networks whose training steps the tests compile, and batches for them. */
enum Example {
  LENET(32) {
    @Override
    Cell net() {
      return new Sequential(
          new Conv2d(1, 6, 5),
          new ReLU(),
          new MaxPool2d(2),
          new Conv2d(6, 16, 5),
          new ReLU(),
          new MaxPool2d(2),
          new Flatten(),
          new Dense(400, 120),
          new ReLU(),
          new Dense(120, 84),
          new ReLU(),
          new Dense(84, 10));
    }

    @Override
    Optimizer optimizer() {
      return new Momentum(0.01, 0.9);
    }
  },
  NORMALIZED(8) {
    @Override
    Cell net() {
      return new Sequential(
          new Conv2d(1, 4, 3, ConvolutionOptions.defaults().padding(1).noBias()),
          new BatchNorm2d(4),
          new ReLU(),
          new AvgPool2d(2),
          new Dropout(0.25),
          new Flatten(),
          new Dense(64, 10));
    }

    @Override
    Optimizer optimizer() {
      return new Adam(0.01);
    }
  },
  DENSE(4) {
    @Override
    Cell net() {
      return new Sequential(new Flatten(), new Dense(16, 12), new ReLU(), new Dense(12, 10));
    }

    @Override
    Optimizer optimizer() {
      return new Sgd(0.05);
    }
  };

  static final double SCALE = 1024;

  private final int side;

  Example(int side) {
    this.side = side;
  }

  abstract Cell net();

  abstract Optimizer optimizer();

  /** A train cell with a fixed loss scale; each has a state of its own with the same values. */
  TrainStepCell train(Level level, DType half, Backend backend) {
    AmpOptions options =
        AmpOptions.defaults().half(half).backend(backend).lossScale(LossScale.fixed(SCALE));
    return Amp.buildTrainNetwork(net(), new SoftmaxCrossEntropyLoss(), optimizer(), level, options);
  }

  Graph graph(TrainStepCell train, int rows) {
    return train.loop().trace(signature(rows));
  }

  private List<TensorSpec> signature(int rows) {
    return List.of(
        TensorSpec.of(DType.FP32, rows, 1, side, side),
        TensorSpec.of(DType.INT32, rows),
        TensorSpec.of(DType.INT64, rows));
  }

  /** Data, labels and sample numbers. */
  List<Tensor> batch(TensorScope scope, int rows, int number) {
    List<TensorSpec> specs = signature(rows);
    int pixels = rows * side * side;
    return List.of(
        Tensor.of(
            scope,
            specs.get(0),
            IntStream.range(0, pixels).mapToDouble(i -> Math.sin(i * 1.7 + number)).toArray()),
        Tensor.of(
            scope,
            specs.get(1),
            IntStream.range(0, rows).mapToDouble(i -> (3 * i + number) % 10).toArray()),
        Tensor.of(
            scope,
            specs.get(2),
            IntStream.range(0, rows).mapToDouble(i -> i + rows * number).toArray()));
  }
}
