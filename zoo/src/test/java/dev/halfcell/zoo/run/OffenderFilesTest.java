package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.diagnosis.SavedBatch;
import dev.halfcell.backend.Backend;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A batch that overflowed and the state that it did so on belong together by their step. */
final class OffenderFilesTest {
  /** No gradient of such a scale fits into FP16, so that every step overflows. */
  private static final JobSpecification JOB = job("skip");

  private static JobSpecification job(String overflowPolicy) {
    return JobSpecification.ofYaml(
        """
        network:
          - {cell: Flatten}
          - {cell: Dense, inChannels: 784, outChannels: 10}
        dataset: {config: {shape: [1, 28, 28]}}
        precision: {level: O2, lossScale: 1.0e9, options: {diagnose: true, overflowPolicy: %s}}
        training: {steps: 2, batchSize: 4}
        device: cpu
        """
            .formatted(overflowPolicy));
  }

  @TempDir private Path path;

  /** Trains two steps; the state of the first is kept aside. */
  private RunFolder trained() {
    RunFolder folder = RunFolder.at(path.resolve("run"));
    TrainListener keeping =
        event -> {
          if (event instanceof TrainEvent.OffenderFound found && found.step() == 2) {
            copy(folder.offendingState(), path.resolve("first"));
          }
        };
    try (TrainingRun run = TrainingRun.open(JOB, Optional.of("embedded"))) {
      var _ = run.train(folder, keeping, () -> false);
    }
    return folder;
  }

  private static void copy(Path from, Path to) {
    try {
      Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Replay replayed(RunFolder folder) {
    try (Backend backend = TrainingJob.openLike(JOB)) {
      TrainingJob job = TrainingJob.of(JOB, backend, folder.place().samples());
      return Replay.of(
          folder,
          job,
          () -> {
            throw new AssertionError("a batch was saved");
          });
    }
  }

  @Test
  void theStateSaysTheStepOfItsBatch() {
    RunFolder folder = trained();
    try (TensorScope scope = TensorScope.open()) {
      assertEquals(2, SavedBatch.read(folder.offendingBatch(), scope).step());
      SafeTensors state = SafeTensors.read(folder.offendingState(), scope);
      assertEquals("2", state.metadata().get("progress.step"));
    }
    assertTrue(replayed(folder).offender().isPresent());
  }

  /** It is the one that its user wants to look at. */
  @Test
  void theBatchThatEndsTheTrainingIsKept() {
    RunFolder folder = RunFolder.at(path.resolve("run"));
    try (TrainingRun run = TrainingRun.open(job("fail"), Optional.of("embedded"))) {
      assertThrows(NonFiniteException.class, () -> run.train(folder, _ -> {}, () -> false));
    }
    try (TensorScope scope = TensorScope.open()) {
      assertEquals(1, SavedBatch.read(folder.offendingBatch(), scope).step());
    }
    assertTrue(replayed(folder).offender().isPresent());
  }

  /** A run that is killed between the two leaves a new state beside an older batch. */
  @Test
  void filesOfTwoStepsAreRefusedWithBoth() {
    RunFolder folder = trained();
    copy(path.resolve("first"), folder.offendingState());
    DataException refused = assertThrows(DataException.class, () -> replayed(folder));
    assertEquals(folder.offendingState().toString(), refused.problem().where());
    assertEquals("progress.step 2", refused.problem().expected());
    assertEquals("progress.step 1", refused.problem().got());
  }
}
