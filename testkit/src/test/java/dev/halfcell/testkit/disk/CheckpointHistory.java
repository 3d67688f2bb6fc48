package dev.halfcell.testkit.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Variable;
import dev.halfcell.data.DataPosition;
import dev.halfcell.disk.Disk;
import dev.halfcell.disk.WholeFile;
import dev.halfcell.nn.Dense;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.train.EpochTotals;
import dev.halfcell.train.Progress;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.checkpoint.CheckpointFolder;
import dev.halfcell.train.checkpoint.CheckpointFolder.Restored;
import dev.halfcell.train.checkpoint.CheckpointNotes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run that saves checkpoints, and what has to be true of them whatever the disk did: the newest
 * one whose saving returned can be read, or a later one; no more are kept than were asked for; and
 * nothing is left of others.
 */
final class CheckpointHistory implements AutoCloseable {
  static final int STEPS = 3;
  private static final int KEEP = 2;
  private static final Path FOLDER = Path.of("/run/checkpoints");
  private static final Map<String, String> RUN = Map.of("level", "O2");

  private final TrainState state = TrainState.of(new Dense(2, 3), new Momentum(0.1, 0.9), 1);
  private final List<String> errors = new ArrayList<>();
  private long committed;
  private long begun;

  /** Forgets what was saved. */
  void begin() {
    errors.clear();
    committed = 0;
    begun = 0;
  }

  /** Saves a checkpoint for each step, the second twice; an error ends none but its own. */
  void saveAll(Disk disk) {
    for (long step = 1; step <= STEPS; step++) {
      save(disk, step);
      if (step == 2) {
        save(disk, step);
      }
    }
  }

  private void save(Disk disk, long step) {
    begun = step;
    fill(step);
    try {
      new CheckpointFolder(disk, FOLDER, KEEP).save(state, notes(step));
      committed = step;
    } catch (DataException e) {
      errors.add(e.problem().got());
    }
  }

  private static CheckpointNotes notes(long step) {
    EpochTotals totals = new EpochTotals(step / 3.0, (int) step, step, 0, 0);
    Progress progress = new Progress(step, new DataPosition((int) step, 0), totals);
    return new CheckpointNotes(progress, RUN, Map.of("cpu", "here"), Map.of());
  }

  private void fill(long step) {
    for (Tensor value : state.values().values()) {
      for (long i = 0; i < value.spec().size(); i++) {
        Elements.set(value.data(), value.dtype(), i, (double) (step + i));
      }
    }
  }

  Optional<Restored> restore(Disk disk) {
    fill(-1);
    return new CheckpointFolder(disk, FOLDER, KEEP).restore(state, RUN);
  }

  /**
   * What was promised.
   *
   * @param committed the last step whose saving returned
   * @param begun the last one whose saving had begun
   */
  record Promise(long committed, long begun) {}

  Promise promise() {
    return new Promise(committed, begun);
  }

  /** Fails where what a disk holds breaks a promise. */
  void check(CrashDisk disk, Promise promise) {
    Optional<Restored> restored = restore(disk);
    long step = restored.map(each -> each.notes().progress().step()).orElse(0L);
    assertTrue(
        promise.committed() <= step && step <= promise.begun(),
        () -> "restored %d of %s".formatted(step, promise));
    restored.ifPresent(
        each -> {
          assertEquals(List.of(), each.damaged());
          assertEquals(notes(step), each.notes());
          state.values().forEach((variable, value) -> checkValue(variable, value, step));
        });
    checkFiles(disk);
  }

  /** Fails where one cannot go on saving after {@link #check}. */
  void checkNext(CrashDisk disk) {
    save(disk, STEPS + 1);
    assertEquals(STEPS + 1, committed, errors::toString);
    check(disk.afterPowerLoss(Damage.FORCED_ONLY, 1), new Promise(STEPS + 1, STEPS + 1));
  }

  private static void checkValue(Variable variable, Tensor value, long step) {
    for (long i = 0; i < value.spec().size(); i++) {
      assertEquals((double) (step + i), value.at(i), variable.toString());
    }
  }

  static void checkFiles(CrashDisk disk) {
    List<Path> files = List.copyOf(disk.files().keySet());
    assertTrue(files.size() <= KEEP, files::toString);
    assertTrue(files.stream().noneMatch(WholeFile::isLeftover), files::toString);
  }

  /** What was said of each saving that failed. */
  List<String> errors() {
    return errors;
  }

  @Override
  public void close() {
    state.close();
  }
}
