package dev.halfcell.zoo.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import org.junit.jupiter.api.Test;

final class EnvironmentTest {
  @Test
  void theThreadsAreThoseOfTheBackend() {
    try (Backend one = Backends.open("cpu", 1);
        Backend all = Backends.open("cpu")) {
      assertEquals("1", Environment.with(one).get("threads"));
      assertEquals(String.valueOf(all.threads()), Environment.with(all).get("threads"));
    }
  }
}
