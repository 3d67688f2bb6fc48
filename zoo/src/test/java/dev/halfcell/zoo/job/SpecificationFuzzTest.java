package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.zoo.Allocations;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** Whatever text a specification is: it is read, or refused at a pointer. */
final class SpecificationFuzzTest {
  @FuzzTest(maxDuration = "2h", maxExecutions = 5_000_000)
  void aTextIsReadOrRefused(byte[] bytes) throws Throwable {
    String text = new String(bytes, StandardCharsets.UTF_8);
    Allocations.bounded(bytes.length, () -> read(text, JobSpecification::ofJson));
    Allocations.bounded(bytes.length, () -> read(text, JobSpecification::ofYaml));
  }

  private static void read(String text, Function<String, JobSpecification> reader) {
    try {
      JobSpecification read = reader.apply(text);
      assertEquals(read, JobSpecification.ofJson(read.json()));
    } catch (ArgumentException refused) {
      assertEquals("specification", refused.problem().subject());
      assertFalse(refused.problem().got().isBlank());
      assertFalse(refused.problem().expected().isBlank());
    }
  }
}
