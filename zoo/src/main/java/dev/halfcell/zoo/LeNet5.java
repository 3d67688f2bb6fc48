package dev.halfcell.zoo;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.MaxPool2d;
import dev.halfcell.nn.ReLU;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.data.FashionMnist;

/**
 * LeNet-5 with ReLU and max pooling: two convolutions of 5 x 5, each followed by a pooling of 2 x
 * 2, then three fully connected layers; 61,706 parameters.
 *
 * <p>Shapes: x [N, 1, 32, 32], y [N, 10], the logits of ten classes.
 *
 * <p>Source: LeCun, Bottou, Bengio, Haffner, "Gradient-Based Learning Applied to Document
 * Recognition", Proc. IEEE 86 (1998), section II.B, whose tanh, trained subsampling and partly
 * connected C3 are replaced by what has become usual.
 */
public final class LeNet5 extends Cell {
  /** A network whose values a state holds. */
  public LeNet5() {
    child("conv1", new Conv2d(1, 6, 5));
    child("relu1", new ReLU());
    child("pool1", new MaxPool2d(2));
    child("conv2", new Conv2d(6, 16, 5));
    child("relu2", new ReLU());
    child("pool2", new MaxPool2d(2));
    child("flatten", new Flatten());
    child("fc1", new Dense(400, 120));
    child("relu3", new ReLU());
    child("fc2", new Dense(120, 84));
    child("relu4", new ReLU());
    child("fc3", new Dense(84, 10));
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
    return new NetworkDefinition(
        "lenet5",
        "LeNet-5 with ReLU and max pooling, 61,706 parameters",
        LeNet5::new,
        61_706,
        TensorSpec.of(DType.FP32, 1, 32, 32),
        FashionMnist.definition(),
        new TrainingDefaults(64, 5, 0.01, 0.9));
  }
}
