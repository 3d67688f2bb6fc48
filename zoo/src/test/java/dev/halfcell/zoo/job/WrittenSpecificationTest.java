package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What is written of a specification is read as the same. */
final class WrittenSpecificationTest {
  /** Found by Jazzer: it was there when it was read, and gone when it had been written. */
  @Test
  void anObjectThatSaysNothingIsNotThere() {
    JobSpecification read = JobSpecification.ofJson("{\"network\": {}}");
    assertEquals(JobSpecification.empty(), read);
    assertEquals(read, JobSpecification.ofJson(read.json()));
  }
}
