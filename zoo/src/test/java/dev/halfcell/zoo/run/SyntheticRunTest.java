package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.tensor.DataException;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on synthetic data are runs like others. */
final class SyntheticRunTest {
  private static final JobSpecification JOB =
      JobSpecification.of("lenet5")
          .with("/device", "cpu")
          .with("/dataset/name", "synthetic")
          .with("/training/steps", 6)
          .with("/training/batchSize", 4);

  @TempDir private Path path;

  private RunFolder folder(String name) {
    return RunFolder.at(path.resolve(name));
  }

  private static TrainingRun open(JobSpecification job) {
    return TrainingRun.open(job, Optional.empty());
  }

  private RunFolder stopped(String name) {
    RunFolder folder = folder(name);
    AtomicBoolean stop = new AtomicBoolean();
    try (TrainingRun run = open(JOB)) {
      Ending ending =
          run.train(
              folder,
              event -> stop.set(event instanceof TrainEvent.StepTaken taken && taken.step() == 3),
              stop::get);
      assertEquals(3, assertInstanceOf(Ending.Interrupted.class, ending).steps());
    }
    return folder;
  }

  @Test
  void oneThatIsStoppedGoesOnToTheSameBits() throws IOException {
    RunFolder whole = folder("whole");
    try (TrainingRun run = open(JOB)) {
      assertInstanceOf(Ending.Completed.class, run.train(whole, event -> {}, () -> false));
    }
    RunFolder parts = stopped("parts");
    try (TrainingRun run = open(parts.specification())) {
      Ending ending = run.goOn(run.restore(parts), event -> {}, () -> false);
      assertInstanceOf(Ending.Completed.class, ending);
    }
    assertArrayEquals(Files.readAllBytes(whole.model()), Files.readAllBytes(parts.model()));
  }

  @Test
  void itsDataLiesNowhere() {
    assertEquals(new RunPlace(Optional.empty(), 60_000), stopped("made").place());
  }

  @Test
  void itsCheckpointIsOfItsSeed() {
    RunFolder folder = stopped("seeded");
    try (TrainingRun other = open(JOB.with("/training/seed", 2))) {
      assertThrows(DataException.class, () -> other.restore(folder));
    }
  }
}
