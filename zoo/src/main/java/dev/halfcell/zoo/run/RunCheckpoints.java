package dev.halfcell.zoo.run;

import dev.halfcell.train.Progress;
import dev.halfcell.train.checkpoint.CheckpointFolder.Restored;
import dev.halfcell.train.checkpoint.CheckpointNotes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Saves the checkpoints of a run when they are due. What its logs hold is on the disk before a
 * checkpoint is that counts on it. One thread.
 */
final class RunCheckpoints implements Consumer<Progress> {
  /** The note that says how long the metrics were. */
  static final String METRICS = "metrics.bytes";

  private final CheckpointRule rule;
  private final Function<CheckpointNotes, Path> saving;
  private final LongSupplier logs;
  private final Map<String, String> run;
  private final Map<String, String> environment;
  private final BooleanSupplier nearEnd;
  private final LongSupplier nanoseconds;
  private boolean wasNearEnd;
  private Optional<Path> saved = Optional.empty();
  private long savedStep;
  private long savedAt;

  /**
   * Those of a run.
   *
   * @param logs gives the length of the metrics when all logs are on the disk
   */
  RunCheckpoints(
      CheckpointRule rule,
      Function<CheckpointNotes, Path> saving,
      LongSupplier logs,
      Map<String, String> run,
      Map<String, String> environment,
      BooleanSupplier nearEnd,
      LongSupplier nanoseconds) {
    this.rule = rule;
    this.saving = saving;
    this.logs = logs;
    this.run = Map.copyOf(run);
    this.environment = Map.copyOf(environment);
    this.nearEnd = nearEnd;
    this.nanoseconds = nanoseconds;
    this.savedAt = nanoseconds.getAsLong();
  }

  /** A run goes on from this checkpoint. */
  void from(Restored restored) {
    saved = Optional.of(restored.file());
    savedStep = restored.notes().progress().step();
  }

  @Override
  public void accept(Progress progress) {
    Duration since = Duration.ofNanos(nanoseconds.getAsLong() - savedAt);
    boolean epochEnded = progress.data().sample() == 0;
    boolean nearsEnd = nearsEnd();
    if (epochEnded || nearsEnd || rule.due(progress.step() - savedStep, since)) {
      var _ = save(progress);
    }
  }

  /** Once, where one more refused step may end the training: its error leaves no state to save. */
  private boolean nearsEnd() {
    boolean before = wasNearEnd;
    wasNearEnd = nearEnd.getAsBoolean();
    return wasNearEnd && !before;
  }

  /** The checkpoint of where a run ends: the last one, or one more where it is of before. */
  Path last(Progress progress) {
    return saved.filter(_ -> savedStep == progress.step()).orElseGet(() -> save(progress));
  }

  private Path save(Progress progress) {
    Map<String, String> own = Map.of(METRICS, Long.toString(logs.getAsLong()));
    Path file = saving.apply(new CheckpointNotes(progress, run, environment, own));
    saved = Optional.of(file);
    savedStep = progress.step();
    savedAt = nanoseconds.getAsLong();
    return file;
  }
}
