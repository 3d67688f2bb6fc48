package dev.halfcell.testkit;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.AvgPool2d;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Dropout;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.MaxPool2d;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.train.Execution;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A training small enough for every test run, of a network that has a cell of each kind.
 *
 * @param level how much of it is half
 * @param half which half
 */
public record SmallTraining(Level level, DType half) {
  private static final int CLASSES = 5;

  /** One for each level and half. */
  public static List<SmallTraining> all() {
    List<SmallTraining> all = new ArrayList<>(List.of(new SmallTraining(Level.O0, DType.FP16)));
    for (Level level : List.of(Level.O1, Level.AUTO, Level.O2, Level.O3)) {
      all.add(new SmallTraining(level, DType.FP16));
      all.add(new SmallTraining(level, DType.BF16));
    }
    return all;
  }

  /** The network, anew. */
  static Cell network() {
    return new Sequential(
        new Conv2d(2, 4, 3),
        new BatchNorm2d(4),
        new ReLU(),
        new MaxPool2d(2),
        new Conv2d(4, 7, 2),
        new ReLU(),
        new AvgPool2d(2),
        new Flatten(),
        new Dropout(0.25),
        new Dense(28, 11),
        new ReLU(),
        new Dense(11, CLASSES));
  }

  /** The train cell on a backend, from the same start each time. */
  public TrainStepCell open(Backend backend, Execution execution) {
    AmpOptions options =
        AmpOptions.defaults()
            .half(half)
            .backend(backend)
            .execution(execution)
            .lossScale(LossScale.dynamic().from(1024));
    Momentum optimizer = new Momentum(0.05, 0.9);
    return Amp.buildTrainNetwork(
        network(), new SoftmaxCrossEntropyLoss(), optimizer, level, options);
  }

  /** Batch {@code number} of {@code size} samples. */
  public static Batch batch(TensorScope scope, int number, int size) {
    Generator generator = new Generator(number);
    Tensor x = fp32(scope, generator, Shape.of(size, 2, 12, 12));
    Tensor labels =
        Argument.fixed(DType.INT64, Shape.of(size), Fill.labels(CLASSES))
            .tensor(scope, DType.INT64, generator);
    Fill running = (_, count) -> numbers(1000.0 * number, count);
    Tensor samples =
        Argument.fixed(DType.INT64, Shape.of(size), running).tensor(scope, DType.INT64, generator);
    return new Batch(List.of(x, labels), samples);
  }

  private static double[] numbers(double first, int count) {
    double[] numbers = new double[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = first + i;
    }
    return numbers;
  }

  private static Tensor fp32(TensorScope scope, Generator generator, Shape shape) {
    return Argument.data(shape, Fill.normals()).tensor(scope, DType.FP32, generator);
  }

  /** The variables that differ in any bit. */
  public static List<Variable> moved(Map<Variable, Tensor> before, Map<Variable, Tensor> after) {
    return before.keySet().stream()
        .filter(v -> !value(before, v).sameBits(value(after, v)))
        .toList();
  }

  /** The value of a variable that is there. */
  static Tensor value(Map<Variable, Tensor> values, Variable variable) {
    return Objects.requireNonNull(values.get(variable), variable.toString());
  }
}
