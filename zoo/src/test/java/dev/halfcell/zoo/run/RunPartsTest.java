package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.train.TrainEvent;
import dev.halfcell.zoo.job.JobSpecification;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunPartsTest {
  private static final JobSpecification JOB =
      JobSpecification.ofYaml(
          """
          network:
            - {cell: Flatten}
            - {cell: Dense, inChannels: 784, outChannels: 10}
          dataset: {config: {shape: [1, 28, 28]}}
          precision: {level: O0}
          training: {steps: 1, batchSize: 64, accumulation: 3}
          device: cpu
          """);
  private static final Optional<String> DATA = Optional.of("embedded");

  /** What a run that goes on tells of its past is what it told then. */
  @Test
  void anEpochHasAsManyStepsAsATrainingSays(@TempDir Path path) {
    List<Integer> told = new ArrayList<>();
    try (TrainingRun run = TrainingRun.open(JOB, DATA)) {
      var _ =
          run.train(
              RunFolder.at(path),
              event -> {
                if (event instanceof TrainEvent.EpochStarted started) {
                  told.add(started.batches());
                }
              },
              () -> false);
    }
    try (RunParts parts = RunParts.open(JOB, DATA)) {
      assertEquals(told, List.of(parts.stepsPerEpoch()));
    }
  }

  /** Not what was asked for: by that, other data may be found another time. */
  @Test
  void whereItsDataWasFoundIsKept() {
    try (RunParts parts = RunParts.open(JOB, DATA)) {
      assertEquals(new RunPlace(DATA, 8_000), parts.place());
    }
    try (RunParts parts = RunParts.open(JOB, Optional.empty())) {
      Optional<String> found = parts.data().place();
      assertTrue(found.isPresent(), parts.data().description());
      int samples = parts.data().train().size();
      assertEquals(new RunPlace(found, true, samples), parts.place());
    }
  }
}
