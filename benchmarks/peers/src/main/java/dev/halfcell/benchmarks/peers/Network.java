package dev.halfcell.benchmarks.peers;

import dev.halfcell.benchmarks.peers.Layer.Convolution;
import dev.halfcell.benchmarks.peers.Layer.Dense;
import dev.halfcell.benchmarks.peers.Layer.Flatten;
import dev.halfcell.benchmarks.peers.Layer.MaxPool;
import dev.halfcell.benchmarks.peers.Layer.Relu;
import java.util.List;

/**
 * A network that a peer is timed on, layer by layer as HalfCell's zoo has it, with parameters in
 * the same order.
 *
 * @param sample the sizes of one sample, without the batch axis
 * @param layers from data to logits
 */
record Network(List<Long> sample, List<Layer> layers) {
  Network {
    sample = List.copyOf(sample);
    layers = List.copyOf(layers);
  }

  /** The network of this name in the zoo. */
  static Network named(String name) {
    return switch (name) {
      case "lenet5" -> lenet5();
      default -> throw new IllegalArgumentException("the peers have no network '" + name + "'");
    };
  }

  private static Network lenet5() {
    return new Network(
        List.of(1L, 32L, 32L),
        List.of(
            new Convolution(1, 6, 5),
            new Relu(),
            new MaxPool(2),
            new Convolution(6, 16, 5),
            new Relu(),
            new MaxPool(2),
            new Flatten(),
            new Dense(400, 120),
            new Relu(),
            new Dense(120, 84),
            new Relu(),
            new Dense(84, 10)));
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
