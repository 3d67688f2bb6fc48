package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The resolution of every network of the zoo. */
final class ZooResolutionTest {
  static List<NetworkDefinition> networks() {
    return Networks.all();
  }

  @ParameterizedTest
  @MethodSource("networks")
  void everyNetworkOfTheZooIsResolvedByItsRecipe(NetworkDefinition network) {
    JobSpecification resolved = JobSpecification.of(network.name()).resolved();
    assertEquals(network.defaults().epochs(), resolved.training().epochs().orElseThrow());
    assertEquals(network.defaults().batchSize(), resolved.training().batchSize().orElseThrow());
    assertEquals(resolved, resolved.resolved());
  }
}
