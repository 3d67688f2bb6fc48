package dev.halfcell.zoo;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.ReLU;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.data.FashionMnist;

/**
 * A multilayer perceptron: two hidden layers of equal width with ReLU between three fully connected
 * layers.
 *
 * <p>Shapes: x [N, ...] with {@code inputs} elements a sample, y [N, classes], logits. Parameters
 * of 784-1024-1024-10: 784 · 1024 + 1024 + 1024 · 1024 + 1024 + 1024 · 10 + 10 = 1,863,690.
 *
 * <p>Source: Srivastava et al., "Dropout: A Simple Way to Prevent Neural Networks from
 * Overfitting", JMLR 15 (2014), table 2, "NN, ReLU, 3 layers, 1024 units"; here without dropout.
 */
public final class Mlp extends Cell {
  /**
   * What can be chosen.
   *
   * @param inputs elements of a sample
   * @param hidden units of each hidden layer
   * @param classes that are told apart
   */
  public record Config(int inputs, int hidden, int classes) {
    public Config {
      int smallest = Math.min(inputs, Math.min(hidden, classes));
      ArgumentException.require(smallest >= 1, "Mlp", "widths of at least 1", smallest);
    }
  }

  /** A network whose values a state holds. */
  public Mlp(Config config) {
    child("flatten", new Flatten());
    child("fc1", new Dense(config.inputs(), config.hidden()));
    child("relu1", new ReLU());
    child("fc2", new Dense(config.hidden(), config.hidden()));
    child("relu2", new ReLU());
    child("fc3", new Dense(config.hidden(), config.classes()));
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = f.only(inputs);
    for (Cell layer : children().values()) {
      x = f.call(layer, x);
    }
    return x;
  }

  /** The network of the zoo. */
  static NetworkDefinition definition() {
    Config config = new Config(784, 1024, 10);
    return new NetworkDefinition(
        "mlp",
        "multilayer perceptron 784-1024-1024-10, 1,863,690 parameters",
        () -> new Mlp(config),
        1_863_690,
        TensorSpec.of(DType.FP32, 1, 28, 28),
        FashionMnist.definition(),
        new TrainingDefaults(128, 5, 0.01, 0.9));
  }
}
