package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.data.DataPosition;
import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.train.EpochTotals;
import dev.halfcell.train.Progress;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.checkpoint.CheckpointFolder.Damaged;
import dev.halfcell.train.checkpoint.CheckpointFolder.Restored;
import dev.halfcell.train.checkpoint.CheckpointNotes;
import dev.halfcell.zoo.job.LogFormat;
import dev.halfcell.zoo.log.BoardReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a run goes on by what its checkpoint and its metrics say; nothing is trained. */
final class ResumptionTest {
  private static final Map<String, String> HERE = Map.of("cpu", "this one");
  private static final long BLOCK = 1 << 16;
  private static final String UNCHANGED = "Resume an unchanged run.";

  @TempDir private Path path;

  private RunFolder folder() {
    return new RunFolder(path);
  }

  private Path checkpoint() {
    return path.resolve("checkpoints/step.safetensors");
  }

  private static TrainEvent.StepTaken step(long step, int epoch, double loss) {
    boolean overflow = Double.isNaN(loss);
    StepResult result = new StepResult(loss, overflow, 8, 8, !overflow, Double.NaN);
    return new TrainEvent.StepTaken(step, epoch, 0, result, 0.5, 250, 0);
  }

  /** Writes these steps, and returns how long they are. */
  private long write(TrainEvent.StepTaken... steps) {
    try (MetricsFile metrics = folder().openMetrics()) {
      List.of(steps).forEach(metrics::on);
      return metrics.force();
    }
  }

  private Restored restored(long step, int epoch, int sample, String bytes, Damaged... damaged) {
    Progress progress = new Progress(step, new DataPosition(epoch, sample), EpochTotals.none());
    Map<String, String> own = Map.of("metrics.bytes", bytes);
    CheckpointNotes notes = new CheckpointNotes(progress, Map.of(), HERE, own);
    return new Restored(checkpoint(), notes, List.of(damaged));
  }

  private Resumption from(Restored restored) {
    return Resumption.of(Optional.of(restored), folder(), HERE);
  }

  private Problem refused(Restored restored) {
    return assertThrows(DataException.class, () -> from(restored)).problem();
  }

  /** What listeners are told of 3 epochs of 2 batches, 20 samples together. */
  private static List<TrainEvent> past(Resumption from) {
    List<TrainEvent> told = new ArrayList<>();
    from.tellPast(3, 2, 20, List.of(told::add));
    return told;
  }

  private static TrainEvent.StepTaken with(TrainEvent.StepTaken step, int samples) {
    return new TrainEvent.StepTaken(step.step(), step.epoch(), samples, step.result(), 0.5, 250, 0);
  }

  @Test
  void whereNothingWasSavedItBeginsAnewAndSaysSo() throws IOException {
    write(step(1, 1, 2));
    Resumption anew = Resumption.of(Optional.empty(), folder(), HERE);
    assertEquals(List.of("no checkpoint was saved: training begins anew"), anew.lines());
    assertEquals(0, anew.steps());
    assertEquals(Optional.empty(), anew.progress());
    assertEquals(List.of(), past(anew));
    anew.openMetrics().close();
    assertEquals("", Files.readString(folder().metrics()));
  }

  @Test
  void itSaysTheStepAndNothingElseWhereAllIsWell() {
    long bytes = write(step(1, 1, 2), step(2, 1, 3));
    Resumption from = from(restored(2, 0, 8, Long.toString(bytes)));
    assertEquals(List.of("goes on after step 2"), from.lines());
    assertEquals(2, from.steps());
    assertEquals(2, from.progress().orElseThrow().step());
  }

  /** A batch that was tried three times is step 4 behind step 1: there are two of them. */
  @Test
  void whereBatchesWereTriedAgainTensorBoardKeepsAllSteps() throws IOException {
    long bytes = write(step(1, 1, 2), step(4, 1, 3));
    List<LogFormat> board = List.of(LogFormat.TENSORBOARD);
    try (RunLogs logs = RunLogs.open(folder(), board, Optional.empty())) {
      logs.listeners().getLast().on(step(1, 1, 2));
      logs.listeners().getLast().on(step(4, 1, 3));
    }
    write(step(1, 1, 2), step(4, 1, 3));
    Resumption from = from(restored(4, 0, 8, Long.toString(bytes)));
    assertEquals(2, from.steps());
    try (RunLogs logs = RunLogs.open(folder(), board, Optional.of(from))) {
      logs.listeners().getLast().on(step(5, 1, 4));
    }
    assertEquals(Set.of(1L, 4L, 5L), drawn("train/loss").keySet());
  }

  private Map<Long, String> drawn(String tag) throws IOException {
    return BoardReader.drawn(path).getOrDefault(tag, Map.of());
  }

  @Test
  void itSaysWhichCheckpointsAreDamagedAndWhatIsAnotherHere() {
    long bytes = write(step(1, 1, 2));
    Damaged damaged = new Damaged(path.resolve("later"), "expected the sum 1, got 2");
    Restored restored = restored(1, 0, 4, Long.toString(bytes), damaged);
    Resumption from =
        Resumption.of(Optional.of(restored), folder(), Map.of("cpu", "that one", "java", "26"));
    assertEquals(
        List.of(
            "damaged: " + path.resolve("later") + ": expected the sum 1, got 2",
            "goes on after step 1",
            "another environment, the same bits are not promised: cpu was this one, is that one;"
                + " java was none, is 26"),
        from.lines());
  }

  @Test
  void metricsThatEndBeforeTheCheckpointAreRefused() {
    long bytes = write(step(1, 1, 2));
    assertEquals(
        new Problem(
            "metrics",
            folder().metrics().toString(),
            "at least " + (bytes + 1) + " bytes",
            bytes + " bytes",
            UNCHANGED),
        refused(restored(1, 0, 4, Long.toString(bytes + 1))));
  }

  @Test
  void metricsOfOtherStepsAreRefused() {
    long bytes = write(step(1, 1, 2), step(3, 1, 2));
    assertEquals(
        new Problem(
            "resume", folder().metrics().toString(), "step 2 as the last", "step 3", UNCHANGED),
        refused(restored(2, 0, 8, Long.toString(bytes))));
    assertEquals("step 0", refused(restored(2, 0, 8, "0")).got());
  }

  @Test
  void aCheckpointThatDoesNotSayHowLongTheMetricsWereIsRefused() {
    write(step(1, 1, 2));
    for (String bytes : List.of("-1", "1e3", "", "12345678901234567890")) {
      assertEquals(
          new Problem(
              "resume", checkpoint().toString(), "a number as own.metrics.bytes", bytes, UNCHANGED),
          refused(restored(1, 0, 4, bytes)));
    }
    CheckpointNotes silent =
        new CheckpointNotes(restored(1, 0, 4, "1").notes().progress(), Map.of(), HERE, Map.of());
    assertEquals("none", refused(new Restored(checkpoint(), silent, List.of())).got());
  }

  @Test
  void linesBehindTheCheckpointAreCutOff() throws IOException {
    long bytes = write(step(1, 1, 2), step(2, 1, 3), step(3, 2, 4));
    String all = Files.readString(folder().metrics());
    int two = all.indexOf('\n', all.indexOf('\n') + 1) + 1;
    Resumption from = from(restored(2, 1, 0, Integer.toString(two)));
    try (MetricsFile metrics = from.openMetrics()) {
      metrics.on(step(3, 2, 4));
      assertEquals(bytes, metrics.force());
    }
    assertEquals(all, Files.readString(folder().metrics()));
    assertEquals(List.of(folder().metrics()), Disk.local().list(path));
  }

  @Test
  void stepsAreToldAsTheyWere() {
    long bytes = write(step(1, 1, 2), step(2, 1, Double.NaN));
    List<TrainEvent> told = new ArrayList<>();
    from(restored(2, 0, 8, Long.toString(bytes))).tellSteps(told::add);
    assertEquals(List.of(step(1, 1, 2), step(2, 1, Double.NaN)), told);
  }

  /** Those of a long run do not fit in the heap: they are read again each time. */
  @Test
  void thePastIsToldWhileItIsRead() {
    int many = 5000;
    TrainEvent.StepTaken[] steps =
        IntStream.rangeClosed(1, many)
            .mapToObj(step -> step(step, 1, 2))
            .toArray(TrainEvent.StepTaken[]::new);
    long bytes = write(steps);
    CountingDisk disk = new CountingDisk();
    Restored restored = restored(many, 0, 8, Long.toString(bytes));
    Resumption from = Resumption.of(Optional.of(restored), new RunFolder(path, disk), HERE);
    assertEquals(bytes, disk.read());
    List<Long> told = new ArrayList<>();
    from.tellPast(1, many, 20, List.of(_ -> told.add(disk.read() - bytes)));
    assertToldMeanwhile(told.subList(1, told.size()), many, bytes);
    told.clear();
    from.tellSteps(_ -> told.add(disk.read() - 2 * bytes));
    assertToldMeanwhile(told, many, bytes);
  }

  /** By how many bytes had been read at each step. */
  private static void assertToldMeanwhile(List<Long> read, int steps, long bytes) {
    assertEquals(steps, read.size());
    assertTrue(read.getFirst() <= BLOCK, read.getFirst() + " bytes before the first step");
    assertTrue(read.getLast() > bytes - BLOCK, read.getLast() + " of " + bytes + " bytes");
  }

  /** Of the epoch that is open, the samples that were seen; its end is yet to come. */
  @Test
  void thePastIsToldEpochByEpochUntilTheMiddleOfOne() {
    TrainEvent.StepTaken[] steps = {step(1, 1, 2), step(2, 1, Double.NaN), step(3, 2, 5)};
    Resumption from = from(restored(3, 1, 12, Long.toString(write(steps))));
    assertEquals(
        List.of(
            new TrainEvent.EpochStarted(1, 3, 2),
            with(steps[0], 20),
            steps[1],
            new TrainEvent.EpochEnded(1, 2, 20, 1, 0.5),
            new TrainEvent.EpochStarted(2, 3, 2),
            with(steps[2], 12)),
        past(from));
  }

  @Test
  void thePastIsToldUntilTheEndOfAnEpoch() {
    TrainEvent.StepTaken[] steps = {step(1, 1, 2), step(2, 1, 4), step(3, 2, 5), step(4, 2, 7)};
    List<TrainEvent> told = past(from(restored(4, 2, 0, Long.toString(write(steps)))));
    assertEquals(
        List.of(
            new TrainEvent.EpochStarted(1, 3, 2),
            with(steps[0], 20),
            steps[1],
            new TrainEvent.EpochEnded(1, 3, 20, 0, 0.5),
            new TrainEvent.EpochStarted(2, 3, 2),
            with(steps[2], 20),
            steps[3],
            new TrainEvent.EpochEnded(2, 6, 20, 0, 0.5)),
        told);
  }
}
