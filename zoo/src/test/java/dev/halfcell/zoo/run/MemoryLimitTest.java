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
import dev.halfcell.zoo.data.DataSetDefinition;
import dev.halfcell.zoo.host.Memory;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class MemoryLimitTest {
  private static MemoryEstimate of(long bytes) {
    return new MemoryEstimate(
        List.of(new MemoryEstimate.Part("half_copies", bytes)),
        Optional.empty(),
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
  void whatADeviceHoldsIsCountedForIt() {
    JobSpecification job = JobSpecification.of("lenet5").resolved();
    try (ReferenceBackend machine = new ReferenceBackend()) {
      TrainingJob here = TrainingJob.of(job, machine, 300);
      TrainingJob there = TrainingJob.of(job, new OwnMemoryBackend(machine, 1L << 40), 300);
      DataSetDefinition.Size samples = here.network().data().size();
      MemoryEstimate all = here.memory(samples);
      MemoryEstimate host = there.memory(samples);
      MemoryEstimate.OnDevice device = host.device().orElseThrow();
      assertEquals(OwnMemoryBackend.NAME, device.name());
      assertTrue(device.fits());
      for (String computing : List.of("activations", "gradients_and_workspaces", "evaluation")) {
        assertEquals(part(all.parts(), computing), part(device.parts(), computing));
        assertEquals(0, part(host.parts(), computing));
      }
      assertEquals(part(all.parts(), "parameters"), part(device.parts(), "parameters"));
      assertEquals(part(all.parts(), "parameters"), part(host.parts(), "parameters"));
      assertEquals(part(all.parts(), "data"), part(host.parts(), "data"));
      // Two copies of the images and labels of a batch at the least.
      assertTrue(part(host.parts(), "staging") >= 2L * here.length().batchSize() * (1024 * 4 + 8));
      assertTrue(host.text().contains(", and "), host::text);
      assertDoesNotThrow(() -> host.require(MemoryLimit.of(Optional.empty())));
    }
  }

  @Test
  void opByOpResultsStayWithTheMachine() {
    JobSpecification job =
        JobSpecification.of("lenet5")
            .with("/precision/options/fpExceptions", List.of("inv"))
            .resolved();
    try (ReferenceBackend machine = new ReferenceBackend()) {
      TrainingJob here = TrainingJob.of(job, machine, 300);
      TrainingJob there = TrainingJob.of(job, new OwnMemoryBackend(machine, 1L << 40), 300);
      DataSetDefinition.Size samples = here.network().data().size();
      MemoryEstimate host = there.memory(samples);
      long results = part(here.memory(samples).parts(), "results_of_ops");
      assertEquals(results, part(host.parts(), "results_of_ops"));
      long one = part(host.device().orElseThrow().parts(), "one_op");
      assertTrue(one > 0 && one < results, one + " of " + results);
    }
  }

  private static long part(List<MemoryEstimate.Part> parts, String name) {
    return parts.stream()
        .filter(part -> part.name().equals(name))
        .mapToLong(MemoryEstimate.Part::bytes)
        .sum();
  }

  @Test
  void aDeviceThatHasTooLittleIsNamed() {
    JobSpecification job = JobSpecification.of("lenet5").resolved();
    try (ReferenceBackend machine = new ReferenceBackend()) {
      TrainingJob small = TrainingJob.of(job, new OwnMemoryBackend(machine, 1L << 20), 300);
      MemoryEstimate estimate = small.memory(small.network().data().size());
      String refusal =
          assertThrows(
                  MemoryException.class, () -> estimate.require(MemoryLimit.of(Optional.empty())))
              .problem()
              .message();
      assertTrue(
          refusal.contains("at most 1.0 MiB, the memory of device " + OwnMemoryBackend.NAME),
          refusal);
      assertTrue(refusal.contains("activations"), refusal);
      assertTrue(refusal.contains("smaller batch"), refusal);
    }
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

  @Test
  void aStepThatIsRunAgainHoldsMoreForMoreSamples() {
    JobSpecification job = JobSpecification.of("lenet5").with("/training/batchSize", 32).resolved();
    try (ReferenceBackend backend = new ReferenceBackend()) {
      TrainingJob run = TrainingJob.of(job, backend, 300);
      TrainingJob larger =
          TrainingJob.of(job.with("/training/batchSize", 64).resolved(), backend, 300);
      // Of each further sample at least the first convolution's results, in FP32: 6 x 28 x 28.
      assertTrue(larger.replayBytes() - run.replayBytes() > 32 * 6 * 28 * 28 * 4);
      assertTrue(run.replayBytes() > MemoryCount.PROGRAM + 8 * run.network().parameters());
    }
  }
}
