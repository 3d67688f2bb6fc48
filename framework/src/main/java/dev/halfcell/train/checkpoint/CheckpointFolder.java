package dev.halfcell.train.checkpoint;

import dev.halfcell.data.SafeTensors;
import dev.halfcell.disk.Disk;
import dev.halfcell.disk.WholeFile;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.train.Checkpoint;
import dev.halfcell.train.Differences;
import dev.halfcell.train.TrainState;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A folder with the last checkpoints of one run, {@code step-000000000120.safetensors}. When {@link
 * #save} returns, its checkpoint survives a crash; only then are older ones deleted. Where the
 * newest is damaged, {@link #restore} takes the one before it and says so. One run at a time.
 */
public final class CheckpointFolder {
  /** How many are kept unless one says otherwise. */
  public static final int KEEP = 2;

  private static final Pattern CHECKPOINT = Pattern.compile("step-\\d{12}\\.safetensors");
  private static final String DAMAGED = ".damaged";

  private final Disk disk;
  private final Path path;
  private final int keep;

  /**
   * A checkpoint that cannot be read.
   *
   * @param why what is wrong with it
   */
  public record Damaged(Path file, String why) {}

  /**
   * What was read.
   *
   * @param file the checkpoint
   * @param notes what it says of the run
   * @param damaged newer ones, the newest first; each now has {@code .damaged} behind its name and
   *     stays until the next restore
   */
  public record Restored(Path file, CheckpointNotes notes, List<Damaged> damaged) {
    public Restored {
      damaged = List.copyOf(damaged);
    }
  }

  /**
   * The folder of a path, made when the first checkpoint is saved. The folder around it is not: it
   * is the run's, and where it went away the checkpoints of a run must not begin another one.
   */
  public CheckpointFolder(Disk disk, Path path, int keep) {
    ArgumentException.require(
        keep >= 2, "checkpoints to keep", "at least 2, for one may be damaged", keep);
    this.disk = disk;
    this.path = path;
    this.keep = keep;
  }

  /**
   * Writes a checkpoint, and then deletes what is too old.
   *
   * @return its file
   * @throws DataException where the disk refuses, or the folder around this one is not there;
   *     earlier checkpoints are as they were
   */
  public Path save(TrainState state, CheckpointNotes notes) {
    Path file =
        path.resolve(String.format(Locale.ROOT, "step-%012d.safetensors", notes.progress().step()));
    onDisk(() -> disk.createFolder(path));
    Checkpoint.write(state, notes.encode(), disk, file);
    onDisk(this::deleteOld);
    return file;
  }

  /**
   * Reads the newest checkpoint that is whole into a state, and clears away what a crash has left.
   *
   * @param run what the run is; a checkpoint of another one is refused
   * @return none where no checkpoint was ever saved
   * @throws DataException where the checkpoint is of another run or network, with all differences;
   *     where every checkpoint is damaged; where the disk refuses. The state is then as it was, but
   *     where only the setting aside of damaged ones failed.
   */
  public Optional<Restored> restore(TrainState state, Map<String, String> run) {
    List<Path> files = onDisk(this::files);
    onDisk(() -> deleteAll(files, WholeFile::isLeftover));
    List<Damaged> damaged = new ArrayList<>();
    for (Path file : newestFirst(files)) {
      try (TensorScope scope = TensorScope.open()) {
        Optional<SafeTensors> contents = read(file, scope, damaged);
        if (contents.isPresent()) {
          CheckpointNotes notes = put(contents.get(), file, state, run);
          onDisk(() -> setAside(files, damaged));
          return Optional.of(new Restored(file, notes, damaged));
        }
      }
    }
    if (!damaged.isEmpty()) {
      throw allDamaged(damaged);
    }
    return Optional.empty();
  }

  /** The newest checkpoint, whole or not. */
  public Optional<Path> newest() {
    return newestFirst(onDisk(this::files)).stream().findFirst();
  }

  private Optional<SafeTensors> read(Path file, TensorScope scope, List<Damaged> damaged) {
    try {
      return Optional.of(SafeTensors.readChecked(disk, file, scope));
    } catch (DataException e) {
      Problem why = e.problem();
      damaged.add(new Damaged(file, "expected " + why.expected() + ", got " + why.got()));
      return Optional.empty();
    }
  }

  private static CheckpointNotes put(
      SafeTensors contents, Path file, TrainState state, Map<String, String> run) {
    Checkpoint.requireFormat(contents, file);
    CheckpointNotes notes = CheckpointNotes.decode(contents.metadata(), file);
    Map<String, String> here = new TreeMap<>(run);
    here.put(Checkpoint.SEED, String.valueOf(state.seed()));
    Map<String, String> there = new TreeMap<>(notes.run());
    there.put(Checkpoint.SEED, contents.metadata().getOrDefault(Checkpoint.SEED, "none"));
    Checkpoint.read(state, contents, file, new Differences().compare(here, there));
    return notes;
  }

  /** So that they do not count as the newest when the next one is saved. */
  private void setAside(List<Path> files, List<Damaged> damaged) throws IOException {
    deleteAll(files, file -> name(file).endsWith(DAMAGED));
    for (Damaged each : damaged) {
      disk.rename(each.file(), each.file().resolveSibling(name(each.file()) + DAMAGED));
    }
    deleteOld();
  }

  private void deleteOld() throws IOException {
    for (Path old : newestFirst(files()).stream().skip(keep).toList()) {
      disk.delete(old);
    }
  }

  private void deleteAll(List<Path> files, Predicate<Path> which) throws IOException {
    for (Path file : files.stream().filter(which).toList()) {
      disk.delete(file);
    }
  }

  private List<Path> files() throws IOException {
    try {
      return disk.list(path);
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  private static List<Path> newestFirst(List<Path> files) {
    return files.stream()
        .filter(file -> CHECKPOINT.matcher(name(file)).matches())
        .sorted(Comparator.comparing(CheckpointFolder::name).reversed())
        .toList();
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private DataException allDamaged(List<Damaged> damaged) {
    return new DataException(
        new Problem(
            "checkpoints",
            path.toString(),
            "a usable checkpoint",
            damaged.stream()
                .map(each -> name(each.file()) + ": " + each.why())
                .collect(Collectors.joining("; ")),
            "Restore the folder from a copy, or start the run anew in another one."));
  }

  @FunctionalInterface
  private interface Reading<T> {
    T get() throws IOException;
  }

  @FunctionalInterface
  private interface Change {
    void run() throws IOException;
  }

  private void onDisk(Change change) {
    List<Path> _ =
        onDisk(
            () -> {
              change.run();
              return List.of();
            });
  }

  private <T> T onDisk(Reading<T> reading) {
    try {
      return reading.get();
    } catch (IOException e) {
      throw new DataException(
          new Problem(
              "checkpoints",
              path.toString(),
              "a folder that can be read and written",
              DataException.said(e),
              "Check the folder, its permissions and the space on the disk."),
          e);
    }
  }
}
