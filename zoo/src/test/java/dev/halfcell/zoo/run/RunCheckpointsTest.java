package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.data.DataPosition;
import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.train.EpochTotals;
import dev.halfcell.train.Progress;
import dev.halfcell.train.checkpoint.CheckpointFolder.Restored;
import dev.halfcell.train.checkpoint.CheckpointNotes;
import dev.halfcell.zoo.job.JobSpecification;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunCheckpointsTest {
  private static final int BATCHES = 10;

  @TempDir private Path folder;

  private final List<CheckpointNotes> saved = new ArrayList<>();
  private long nanoseconds;
  private Set<Long> nearEnd = Set.of();
  private long now;

  /** The steps after which one is saved, among 25 of a second each. */
  private List<Long> steps(OptionalInt everySteps, int everySeconds, long from) {
    CheckpointRule rule = new CheckpointRule(everySteps, Duration.ofSeconds(everySeconds), 2);
    Path file = folder.resolve("metrics.jsonl");
    try (MetricsFile metrics = new MetricsFile(Disk.local(), file)) {
      RunCheckpoints checkpoints =
          new RunCheckpoints(
              rule,
              notes -> {
                saved.add(notes);
                return file;
              },
              metrics::force,
              Map.of(),
              Map.of(),
              () -> nearEnd.contains(now),
              () -> nanoseconds);
      if (from > 0) {
        checkpoints.from(new Restored(file, notes(from), List.of()));
      }
      for (long step = from + 1; step <= 25; step++) {
        nanoseconds += 1_000_000_000;
        now = step;
        metrics.on(Steps.clean(step, 1, 1));
        checkpoints.accept(progress(step));
      }
    }
    return saved.stream().map(notes -> notes.progress().step()).toList();
  }

  private static Progress progress(long step) {
    DataPosition at = new DataPosition((int) step / BATCHES, (int) step % BATCHES);
    return new Progress(step, at, EpochTotals.none());
  }

  private static CheckpointNotes notes(long step) {
    return new CheckpointNotes(progress(step), Map.of(), Map.of(), Map.of());
  }

  @Test
  void isSavedWhenAnEpochEnds() {
    assertEquals(List.of(10L, 20L), steps(OptionalInt.empty(), 30, 0));
  }

  @Test
  void isSavedAfterSoManyStepsSinceTheLast() {
    assertEquals(List.of(4L, 8L, 10L, 14L, 18L, 20L, 24L), steps(OptionalInt.of(4), 30, 0));
  }

  @Test
  void isSavedAfterSoMuchTimeSinceTheLast() {
    assertEquals(List.of(7L, 10L, 17L, 20L), steps(OptionalInt.empty(), 7, 0));
  }

  @Test
  void stepsBeforeARunGoesOnDoNotCount() {
    assertEquals(List.of(17L, 20L, 24L), steps(OptionalInt.of(4), 30, 13));
  }

  /** Once in a row of refused steps, not after each of them. */
  @Test
  void isSavedWhereOneMoreRefusedStepMayEndTheTraining() {
    nearEnd = Set.of(12L, 13L, 14L, 18L);
    assertEquals(List.of(10L, 12L, 18L, 20L), steps(OptionalInt.empty(), 30, 0));
  }

  @Test
  void theMetricsUntilThenAreOnTheDisk() throws Exception {
    var _ = steps(OptionalInt.empty(), 30, 0);
    String first = Files.readString(folder.resolve("metrics.jsonl"));
    int length = Integer.parseInt(saved.getFirst().own().getOrDefault("metrics.bytes", "0"));
    assertEquals(10, first.substring(0, length).lines().count());
    assertEquals('\n', first.charAt(length - 1));
  }

  @Test
  void aSpecificationSaysTheRuleAndWhatItLeavesOutIsEvery30SecondsAndTwo() {
    JobSpecification said =
        JobSpecification.empty()
            .with("/checkpoint/everySteps", 7)
            .with("/checkpoint/everySeconds", 1)
            .with("/checkpoint/keep", 5);
    assertEquals(
        new CheckpointRule(OptionalInt.of(7), Duration.ofSeconds(1), 5),
        CheckpointRule.of(said.checkpoint()));
    assertEquals(
        new CheckpointRule(OptionalInt.empty(), Duration.ofSeconds(30), 2),
        CheckpointRule.of(JobSpecification.empty().checkpoint()));
  }

  @Test
  void rulesThatMakeNoSenseAreRefused() {
    Duration second = Duration.ofSeconds(1);
    OptionalInt none = OptionalInt.empty();
    assertThrows(ArgumentException.class, () -> new CheckpointRule(OptionalInt.of(0), second, 2));
    assertThrows(ArgumentException.class, () -> new CheckpointRule(none, Duration.ZERO, 2));
    assertThrows(ArgumentException.class, () -> new CheckpointRule(none, second, 1));
  }
}
