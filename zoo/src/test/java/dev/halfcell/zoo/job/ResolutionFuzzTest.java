package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.halfcell.tensor.ArgumentException;
import java.nio.charset.StandardCharsets;

/**
 * Whatever a specification says, it is resolved for good, or refused. Apart from reading, for it
 * builds networks, which takes a thousand times as long.
 */
final class ResolutionFuzzTest {
  @FuzzTest(maxDuration = "3m")
  void whatIsReadIsResolvedOrRefused(byte[] bytes) {
    try {
      JobSpecification resolved =
          JobSpecification.ofJson(new String(bytes, StandardCharsets.UTF_8)).resolved();
      assertEquals(resolved, resolved.resolved());
      assertTrue(resolved.network().isPresent());
    } catch (ArgumentException refused) {
      assertEquals("specification", refused.problem().subject());
      assertFalse(refused.problem().expected().isBlank());
    }
  }
}
