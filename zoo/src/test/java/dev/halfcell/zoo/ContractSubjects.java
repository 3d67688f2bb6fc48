package dev.halfcell.zoo;

import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.testkit.NetworkContract.Subject;
import java.util.stream.Stream;

/** The networks of the registry, as the contract takes them. */
final class ContractSubjects {
  private static final int SMALL_IMAGE = 64;
  private static final int FEW_CELLS = 120;

  private ContractSubjects() {}

  static Stream<Subject> all() {
    return Networks.all().stream().map(ContractSubjects::of);
  }

  private static Subject of(NetworkDefinition network) {
    return new Subject(
        network.name(), network::build, network.parameters(), smaller(network.sample()));
  }

  /** Images of 64 x 64 do for networks that end in a global pooling. */
  private static TensorSpec smaller(TensorSpec sample) {
    return sample.rank() == 3 && sample.dim(1) > SMALL_IMAGE
        ? sample.as(Shape.of(sample.dim(0), SMALL_IMAGE, SMALL_IMAGE))
        : sample;
  }

  static boolean small(Subject each) {
    return each.make().get().paths().size() <= FEW_CELLS && each.parameters() < 5_000_000;
  }
}
