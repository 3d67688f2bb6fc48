package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.halfcell.tensor.ArgumentException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Whatever a specification says, it is resolved for good, or refused. Apart from reading, for it
 * builds networks, which takes a thousand times as long.
 */
final class ResolutionFuzzTest {
  @FuzzTest(maxDuration = "3m")
  void whatIsReadIsResolvedOrRefused(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    resolve(text, JobSpecification::ofJson);
    resolve(text, JobSpecification::ofYaml);
  }

  private static void resolve(String text, Function<String, JobSpecification> reader) {
    try {
      JobSpecification resolved = reader.apply(text).resolved();
      assertEquals(resolved, resolved.resolved());
      assertTrue(resolved.network().isPresent());
    } catch (ArgumentException refused) {
      assertEquals("specification", refused.problem().subject());
      assertFalse(refused.problem().got().isBlank());
      assertFalse(refused.problem().expected().isBlank());
    }
  }
}
