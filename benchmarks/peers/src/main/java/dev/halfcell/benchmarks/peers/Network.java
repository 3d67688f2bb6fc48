package dev.halfcell.benchmarks.peers;

import dev.halfcell.benchmarks.peers.Layer.Convolution;
import dev.halfcell.benchmarks.peers.Layer.Dense;
import dev.halfcell.benchmarks.peers.Layer.Flatten;
import dev.halfcell.benchmarks.peers.Layer.Lstm;
import dev.halfcell.benchmarks.peers.Layer.MaxPool;
import dev.halfcell.benchmarks.peers.Layer.Relu;
import java.util.List;

/**
 * A network that a peer is timed on, layer by layer as HalfCell has it, with parameters in the same
 * order.
 *
 * @param sample the sizes of one sample, without the batch axis
 * @param layers from data to logits
 */
record Network(List<Long> sample, List<Layer> layers) {
  private static final int CLASSES = 10;

  Network {
    sample = List.copyOf(sample);
    layers = List.copyOf(layers);
  }

  /** The network of this name in HalfCell's benchmarks. */
  static Network named(String name) {
    return switch (name) {
      case "lenet5" -> lenet5();
      case "mlp" -> mlp();
      case "resnet20" -> ResidualNetworks.resnet20();
      case "resnet50" -> ResidualNetworks.resnet50();
      case "lstm2x256" -> lstm();
      case "encoder4x256" -> Encoder.network(4, CLASSES);
      default -> throw new IllegalArgumentException("the peers have no network '" + name + "'");
    };
  }

  private static Network lenet5() {
    return new Network(
        List.of(1L, 32L, 32L),
        List.of(
            new Convolution(1, 6, 5, 1, 0, true),
            new Relu(),
            new MaxPool(2, 2, 0),
            new Convolution(6, 16, 5, 1, 0, true),
            new Relu(),
            new MaxPool(2, 2, 0),
            new Flatten(),
            new Dense(400, 120),
            new Relu(),
            new Dense(120, 84),
            new Relu(),
            new Dense(84, CLASSES)));
  }

  private static Network mlp() {
    return new Network(
        List.of(1L, 28L, 28L),
        List.of(
            new Flatten(),
            new Dense(784, 1024),
            new Relu(),
            new Dense(1024, 1024),
            new Relu(),
            new Dense(1024, CLASSES)));
  }

  private static Network lstm() {
    return new Network(List.of(64L, 64L), List.of(new Lstm(64, 256, 2), new Dense(256, CLASSES)));
  }

  /** The sizes of a batch. */
  long[] batch(int size) {
    long[] sizes = new long[sample.size() + 1];
    sizes[0] = size;
    for (int axis = 1; axis < sizes.length; axis++) {
      sizes[axis] = sample.get(axis - 1);
    }
    return sizes;
  }
}
