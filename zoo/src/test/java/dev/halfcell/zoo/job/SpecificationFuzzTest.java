package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.halfcell.tensor.ArgumentException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** Whatever text a specification is: it is read, or refused at a pointer. */
final class SpecificationFuzzTest {
  @FuzzTest(maxDuration = "3m")
  void aTextIsReadOrRefused(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    read(text, JobSpecification::ofJson);
    read(text, JobSpecification::ofYaml);
  }

  private static void read(String text, Function<String, JobSpecification> reader) {
    try {
      JobSpecification read = reader.apply(text);
      assertEquals(read, JobSpecification.ofJson(read.json()));
      resolve(read);
    } catch (ArgumentException refused) {
      assertEquals("specification", refused.problem().subject());
      assertFalse(refused.problem().got().isBlank());
      assertFalse(refused.problem().expected().isBlank());
    }
  }

  private static void resolve(JobSpecification read) {
    JobSpecification resolved = read.resolved();
    assertEquals(resolved, resolved.resolved());
    assertTrue(resolved.network().isPresent());
  }
}
