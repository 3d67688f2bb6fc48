package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

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
}
