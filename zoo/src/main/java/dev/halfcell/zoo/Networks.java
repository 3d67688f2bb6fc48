package dev.halfcell.zoo;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All networks of the zoo, by name. */
public final class Networks {
  private static final List<NetworkDefinition> ALL =
      Stream.of(
              List.of(LeNet5.definition(), Mlp.definition()),
              SmallImageResNet.definitions(),
              ResNet.definitions(),
              List.of(SequenceClassifier.definition(), VisionTransformer.definition()))
          .flatMap(List::stream)
          .toList();

  private Networks() {}

  /** All of them, in the order in which they are listed. */
  public static List<NetworkDefinition> all() {
    return ALL;
  }

  private static List<String> names() {
    return all().stream().map(NetworkDefinition::name).toList();
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
    String known = "one of " + String.join(", ", names());
    return new ArgumentException(
        new Problem(
            "network",
            "",
            known,
            "'" + name + "'",
            Spelling.nearest(name, names()).map(near -> "Did you mean " + near + "?").orElse("")));
  }
}
