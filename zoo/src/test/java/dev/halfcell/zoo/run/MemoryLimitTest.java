package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.host.Memory;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class MemoryLimitTest {
  private static MemoryEstimate of(long bytes) {
    return new MemoryEstimate(
        List.of(new MemoryEstimate.Part("half_copies", bytes)),
        new MemoryEstimate.Largest(CellPath.ROOT, TensorSpec.of(DType.FP32, 2, 3)));
  }

  private static String refusal(long bytes, MemoryLimit limit) {
    return assertThrows(MemoryException.class, () -> of(bytes).require(limit)).problem().message();
  }

  @Test
  void theLimitOfARunMayBeRaised() {
    MemoryLimit limit = MemoryLimit.of(Optional.of(3L << 20));
    assertDoesNotThrow(() -> of(3 << 20).require(limit));
    String refusal = refusal((3 << 20) + 1, limit);
    assertTrue(refusal.contains("at most 3.0 MiB, the limit of the run"), refusal);
    assertTrue(refusal.contains("about 3.0 MiB (half copies 3.0 MiB)"), refusal);
    assertTrue(refusal.contains("a higher limit"), refusal);
  }

  @Test
  void theMemoryOfTheMachineMayNot() {
    MemoryLimit limit = MemoryLimit.of(Optional.empty());
    assertEquals(Memory.total(), limit.bytes());
    String refusal = refusal(Memory.total() + 1, limit);
    assertTrue(refusal.contains("the memory of this machine"), refusal);
    assertTrue(refusal.contains("smaller batch"), refusal);
    assertFalse(refusal.contains("higher limit"), refusal);
  }

  @Test
  void allPartsHaveNamesInSnakeCase() {
    JobSpecification job =
        JobSpecification.of("lenet5").with("/training/accumulation", 2).resolved();
    try (ReferenceBackend backend = new ReferenceBackend()) {
      TrainingJob run = TrainingJob.of(job, backend, 300);
      MemoryEstimate estimate = run.memory(run.network().data().size());
      assertTrue(estimate.parts().size() > 7, estimate::text);
      assertTrue(
          estimate.parts().stream().allMatch(part -> part.name().matches("[a-z]+(_[a-z]+)*")),
          estimate::text);
    }
  }

  @Test
  void aPredictionHoldsMoreForMoreSamplesAndLessThanTheTraining() {
    JobSpecification job = JobSpecification.of("lenet5").with("/training/batchSize", 32).resolved();
    try (ReferenceBackend backend = new ReferenceBackend()) {
      TrainingJob run = TrainingJob.of(job, backend, 300);
      long state = 4 * run.network().parameters();
      long one = run.predictionBytes(1);
      assertTrue(one > MemoryCount.PROGRAM + 2 * state, one + " bytes");
      // A sample has 784 numbers; a whole batch and the rest of them are two plans.
      assertTrue(run.predictionBytes(40) - one > 39 * 784 * 4);
      assertTrue(run.predictionBytes(64) < run.memory(run.network().data().size()).bytes());
    }
  }
}
