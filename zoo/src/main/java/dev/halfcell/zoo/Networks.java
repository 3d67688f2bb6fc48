package dev.halfcell.zoo;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All networks of the zoo, by name. */
public final class Networks {
  private Networks() {}

  /** All of them, in the order in which they are listed. */
  public static List<NetworkDefinition> all() {
    return Stream.of(
            List.of(LeNet5.definition(), Mlp.definition()),
            SmallImageResNet.definitions(),
            ResNet.definitions(),
            List.of(SequenceClassifier.definition(), VisionTransformer.definition()))
        .flatMap(List::stream)
        .toList();
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
