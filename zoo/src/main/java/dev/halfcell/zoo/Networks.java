package dev.halfcell.zoo;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.data.FashionMnist;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** All networks of the zoo, by name. */
public final class Networks {
  private Networks() {}

  /** All of them, in the order in which they are listed. */
  public static List<NetworkDefinition> all() {
    return List.of(
        new NetworkDefinition(
            "lenet5",
            "LeNet-5 with ReLU and max pooling, 61,706 parameters",
            LeNet5::new,
            TensorSpec.of(DType.FP32, 1, 32, 32),
            FashionMnist.definition(),
            new TrainingDefaults(64, 5, 0.01, 0.9)));
  }

  /** The network of this name, if there is one. */
  public static Optional<NetworkDefinition> find(String name) {
    return all().stream().filter(network -> network.name().equals(name)).findFirst();
  }

  /** The network of this name; throws, with the nearest one, where there is none. */
  public static NetworkDefinition named(String name) {
    return find(name).orElseThrow(() -> unknown(name));
  }

  private static ArgumentException unknown(String name) {
    String known =
        all().stream()
            .map(NetworkDefinition::name)
            .collect(Collectors.joining(", ", "one of ", ""));
    return new ArgumentException(
        new Problem(
            "network",
            "",
            known,
            "'" + name + "'",
            nearest(name).map(near -> "Did you mean " + near + "?").orElse("")));
  }

  private static Optional<String> nearest(String name) {
    return all().stream()
        .map(NetworkDefinition::name)
        .min(Comparator.comparingInt(known -> Spelling.distance(name, known)))
        .filter(near -> Spelling.distance(name, near) <= near.length() / 2);
  }
}
