package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.log.BoardReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that measure their epochs. No accuracy is better than another by more than 1. */
final class EarlyStoppingRunTest {
  private static final JobSpecification PLAIN =
      JobSpecification.ofYaml(
          """
          network:
            - {cell: Flatten}
            - {cell: Dense, inChannels: 784, outChannels: 10}
          dataset: {config: {shape: [1, 28, 28]}}
          precision: {level: O0}
          training: {epochs: 20, batchSize: 256}
          device: cpu
          """);
  private static final JobSpecification STOPPING =
      PLAIN
          .with(
              "/training/earlyStopping",
              Map.of("metric", "test_accuracy", "patience", 2, "minDelta", 1))
          .with("/checkpoint/best", "test_loss")
          .with("/logs", "tensorboard");

  @TempDir private Path path;

  private RunFolder folder(String name) {
    return RunFolder.at(path.resolve(name));
  }

  private static Ending train(JobSpecification job, RunFolder folder, TrainListener listener) {
    try (TrainingRun run = TrainingRun.open(job, Optional.of("embedded"))) {
      return run.train(folder, listener, () -> false);
    }
  }

  private static RunSummary resumed(RunFolder folder) {
    try (TrainingRun run = TrainingRun.open(folder.specification(), Optional.of("embedded"))) {
      return completed(run.goOn(run.restore(folder), _ -> {}, () -> false));
    }
  }

  private static RunSummary completed(Ending ending) {
    return assertInstanceOf(Ending.Completed.class, ending).summary();
  }

  private static List<String> metrics(RunFolder folder) throws IOException {
    return Files.readAllLines(folder.metrics()).stream()
        .map(line -> line.replaceAll("\"(step|data_wait)_ms\":[^,}]+", ""))
        .toList();
  }

  private static Map<String, Map<Long, String>> drawn(RunFolder folder) throws IOException {
    Map<String, Map<Long, String>> drawn = BoardReader.drawn(folder.path());
    drawn.keySet().removeAll(Set.of("train/samples_per_second", "train/data_wait_ms"));
    return drawn;
  }

  private static TrainListener dyingIn(int epoch) {
    return event -> {
      if (event instanceof TrainEvent.StepTaken taken && taken.epoch() == epoch) {
        throw new IllegalStateException("died");
      }
    };
  }

  @Test
  void endsEarlyAndSaysSo() throws IOException {
    RunFolder folder = folder("early");
    RunSummary summary = completed(train(STOPPING, folder, _ -> {}));
    assertTrue(summary.stoppedEarly());
    assertEquals(3, summary.totals().epochs());
    String json = Files.readString(folder.path().resolve("summary.json"));
    assertTrue(json.contains("\"stopped_early\" : true"), json);
    assertTrue(json.contains("\"epochs_completed\" : 3"), json);
    assertEquals(
        3, metrics(folder).stream().filter(line -> line.contains("\"test_loss\":")).count());
    assertEquals(3, drawn(folder).getOrDefault("epoch/test_accuracy", Map.of()).size());
  }

  @Test
  void endsInTheSameEpochWithTheSameFilesWhereverItDied() throws IOException {
    RunFolder whole = folder("whole");
    RunSummary expected = completed(train(STOPPING, whole, _ -> {}));
    for (int epoch = 1; epoch <= 3; epoch++) {
      RunFolder died = folder("died-" + epoch);
      TrainListener dying = dyingIn(epoch);
      assertThrows(IllegalStateException.class, () -> train(STOPPING, died, dying));
      RunSummary summary = resumed(died);
      assertTrue(summary.stoppedEarly());
      assertEquals(expected.totals().epochs(), summary.totals().epochs());
      assertEquals(expected.best(), summary.best());
      assertEquals(metrics(whole), metrics(died));
      assertEquals(drawn(whole), drawn(died));
      assertArrayEquals(Files.readAllBytes(whole.model()), Files.readAllBytes(died.model()));
      assertArrayEquals(Files.readAllBytes(whole.best()), Files.readAllBytes(died.best()));
    }
  }

  /** What is over is over: no epoch is added by resuming it. */
  @Test
  void aRunThatEndedEarlyIsNotTrainedOn() throws IOException {
    RunFolder folder = folder("over");
    var _ = train(STOPPING, folder, _ -> {});
    byte[] model = Files.readAllBytes(folder.model());
    RunSummary again = resumed(folder);
    assertTrue(again.stoppedEarly());
    assertEquals(3, again.totals().epochs());
    assertArrayEquals(model, Files.readAllBytes(folder.model()));
  }

  @Test
  void measuringChangesNoModelAndTheBestOneOfTheLastEpochIsThat() throws IOException {
    RunFolder plain = folder("plain");
    RunFolder watched = folder("watched");
    JobSpecification two = PLAIN.with("/training/epochs", 2);
    RunSummary summary = completed(train(two, plain, _ -> {}));
    assertFalse(summary.stoppedEarly());
    assertFalse(Files.exists(plain.best()));
    RunSummary best =
        completed(train(two.with("/checkpoint/best", "train_loss"), watched, _ -> {}));
    assertEquals(2, best.best().orElseThrow().epoch());
    assertArrayEquals(Files.readAllBytes(plain.model()), Files.readAllBytes(watched.model()));
    assertArrayEquals(Files.readAllBytes(watched.model()), Files.readAllBytes(watched.best()));
    RunFolder measured = folder("measured");
    var _ = train(two.with("/training/evaluation", 1), measured, _ -> {});
    assertArrayEquals(Files.readAllBytes(plain.model()), Files.readAllBytes(measured.model()));
  }
}
