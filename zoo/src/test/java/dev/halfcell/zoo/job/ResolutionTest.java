package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is filled in where nothing is said. */
final class ResolutionTest {
  /** A default that changes changes runs: then this file changes with it. */
  @Test
  void lenet5IsResolvedAsItEverWas() throws IOException {
    try (InputStream golden =
        Objects.requireNonNull(getClass().getResourceAsStream("lenet5-resolved.json"))) {
      assertEquals(
          new String(golden.readAllBytes(), StandardCharsets.UTF_8),
          JobSpecification.of("lenet5").resolved().json());
    }
  }

  static List<NetworkDefinition> networks() {
    return Networks.all();
  }

  @ParameterizedTest
  @Tag("broad")
  @MethodSource("networks")
  void everyNetworkOfTheZooIsResolvedByItsRecipe(NetworkDefinition network) {
    JobSpecification resolved = JobSpecification.of(network.name()).resolved();
    assertEquals(network.defaults().epochs(), resolved.training().epochs().orElseThrow());
    assertEquals(network.defaults().batchSize(), resolved.training().batchSize().orElseThrow());
    assertEquals(resolved, resolved.resolved());
  }
}
