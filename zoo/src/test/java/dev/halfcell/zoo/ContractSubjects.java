package dev.halfcell.zoo;

import dev.halfcell.testkit.NetworkContract.Subject;
import java.util.stream.Stream;

/** The networks of the registry, as the contract takes them. */
final class ContractSubjects {
  private static final int FEW_CELLS = 120;

  private ContractSubjects() {}

  static Stream<Subject> all() {
    return Networks.all().stream().map(ContractSubjects::of);
  }

  private static Subject of(NetworkDefinition network) {
    return new Subject(network.name(), network::build, network.parameters(), network.sample())
        .onSmallImages();
  }

  static boolean small(Subject each) {
    return each.make().get().paths().size() <= FEW_CELLS && each.parameters() < 5_000_000;
  }
}
