package dev.halfcell.zoo.run;

import dev.halfcell.disk.Disk;
import dev.halfcell.disk.WholeFile;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.train.checkpoint.CheckpointFolder;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import tools.jackson.core.JacksonException;

/**
 * The folder that a run writes into: {@code summary.json}, {@code metrics.jsonl}, {@code
 * model.safetensors}, {@code plan.txt}, {@code specification.json}, {@code run.json}, {@code
 * loss.svg}, {@code checkpoints}, {@code .lock} by which a run holds it; where asked for {@code
 * best.safetensors}, {@code steps.csv}, {@code events.out.tfevents.0001.halfcell} and {@code
 * profile-trace.json}; and with diagnosis {@code offending-batch.safetensors} and {@code
 * offending-state.safetensors}.
 *
 * @param path an existing folder that can be written
 * @param disk by which its files are written
 */
public record RunFolder(Path path, Disk disk) {
  private static final String SPECIFICATION = "specification.json";
  private static final String PLAN = "plan.txt";

  /** Where a profile is written for trace viewers. */
  public static final String TRACE = "profile-trace.json";

  private static final String PLACE = "run.json";
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  /** A folder of this machine. */
  public RunFolder(Path path) {
    this(path, Disk.local());
  }

  /**
   * The folder that the user named, made where it is missing.
   *
   * @throws ArgumentException where there is a file in its place, or it holds files already: a run
   *     never overwrites another
   * @throws DataException where it cannot be written
   */
  public static RunFolder at(Path path) {
    requireNoFileInTheWay(path);
    try {
      Disk.local().createFolders(path);
    } catch (IOException e) {
      throw DataException.unwritable("--out", path, e);
    }
    RunFolder folder = new RunFolder(path);
    folder.requireFree();
    return folder;
  }

  private static void requireNoFileInTheWay(Path path) {
    Path there = path.toAbsolutePath();
    while (there.getParent() != null && !Files.exists(there)) {
      there = there.getParent();
    }
    if (!Files.isDirectory(there)) {
      throw unusable(path, "a file " + there, "Name another folder.");
    }
  }

  /** A new folder {@code <time>-<network>-<level>} below {@code parent}. */
  public static RunFolder fresh(Path parent, LocalDateTime now, String network, String level) {
    String name = TIME.format(now) + "-" + network + "-" + level;
    try {
      Disk.local().createFolders(parent);
      Path made = createUnused(parent, name);
      Disk.local().force(parent);
      return new RunFolder(made);
    } catch (IOException e) {
      throw DataException.unwritable("--out", parent.resolve(name), e);
    }
  }

  /** Two runs that start in the same second get two folders. */
  private static Path createUnused(Path parent, String name) throws IOException {
    for (int number = 1; ; number++) {
      Path path = parent.resolve(number == 1 ? name : name + "-" + number);
      if (createsNew(path)) {
        return path;
      }
    }
  }

  private static boolean createsNew(Path path) throws IOException {
    try {
      Files.createDirectory(path);
      return true;
    } catch (FileAlreadyExistsException taken) {
      return false;
    }
  }

  /** What a run left that never came to its specification is no run, and may be written over. */
  private void requireFree() {
    List<Path> files = files();
    if (!files.stream().allMatch(RunFolder::isBeforeARun)) {
      throw unusable(path, "a folder that holds files", "Name another one, or empty it.");
    }
  }

  private static boolean isBeforeARun(Path file) {
    return Set.of(RunLock.NAME, PLAN, PLACE).contains(String.valueOf(file.getFileName()))
        || WholeFile.isLeftover(file);
  }

  private List<Path> files() {
    try {
      return disk.list(path);
    } catch (IOException e) {
      throw DataException.unwritable("run", path, e);
    }
  }

  private static ArgumentException unusable(Path path, String got, String fix) {
    return new ArgumentException(
        new Problem("--out", path.toString(), "an empty or new folder to write into", got, fix));
  }

  /** Where a line for each step goes. */
  Path metrics() {
    return path.resolve("metrics.jsonl");
  }

  /** Where a table with a line for each step goes, where it is asked for. */
  Path table() {
    return path.resolve("steps.csv");
  }

  /** Opens {@code metrics.jsonl}. */
  public MetricsFile openMetrics() {
    return new MetricsFile(disk, metrics());
  }

  /**
   * Holds the folder for this run of this process until it is closed.
   *
   * @throws ArgumentException where another one has it, naming its process
   */
  RunLock lock() {
    return RunLock.take(path);
  }

  /** Clears away what a crash has left, for a run that holds the folder. */
  void deleteLeftovers() {
    files().stream().filter(WholeFile::isLeftover).forEach(this::delete);
  }

  /**
   * Writes what a run is. Its specification comes last: a folder without one was never a run's.
   *
   * @throws ArgumentException where another run has done that since the folder was found empty
   */
  void begin(String plan, RunPlace place, JobSpecification resolved) {
    requireFree();
    writePlan(plan);
    write(PLACE, place.json());
    write(SPECIFICATION, resolved.json());
  }

  /** Writes {@code plan.txt}; anew, where cells were demoted meanwhile. */
  void writePlan(String text) {
    write(PLAN, text);
  }

  /**
   * Reads {@code specification.json}.
   *
   * @throws ArgumentException where there is none
   * @throws DataException where it is not what a run has written
   */
  public JobSpecification specification() {
    Path file = path.resolve(SPECIFICATION);
    try {
      return JobSpecification.read(file);
    } catch (ArgumentException e) {
      if (!Files.exists(file)) {
        throw e;
      }
      throw new DataException(
          new Problem(
              "RUN",
              file.toString(),
              "the specification that the run has written",
              e.problem().message(),
              "Put it back as it was, or name another folder."),
          e);
    }
  }

  /**
   * Reads {@code run.json}.
   *
   * @throws ArgumentException where there is none
   */
  public RunPlace place() {
    return RunPlace.read(path.resolve(PLACE));
  }

  /** Where the last batch goes that overflowed, where that is asked for. */
  public Path offendingBatch() {
    return path.resolve("offending-batch.safetensors");
  }

  /** Where the whole state goes that its step was computed on. */
  Path offendingState() {
    return path.resolve("offending-state.safetensors");
  }

  /** Writes {@code profile-trace.json}, for a trace viewer. */
  void writeTrace(String json) {
    write(TRACE, json);
  }

  /** Writes {@code summary.json}. */
  public void writeSummary(RunSummary summary) {
    write("summary.json", SummaryJson.of(summary));
  }

  /**
   * The loss scale that the run ended at, of {@code summary.json}; none where there is no such file
   * or number.
   */
  OptionalDouble finalScale() {
    Path summary = path.resolve("summary.json");
    try {
      return Files.exists(summary)
          ? SummaryJson.finalScale(Files.readString(summary))
          : OptionalDouble.empty();
    } catch (IOException | JacksonException e) {
      throw new DataException(
          new Problem(
              "RUN",
              summary.toString(),
              "the summary of a run",
              String.valueOf(e.getMessage()),
              "Name another folder."),
          e);
    }
  }

  /** Where a drawing of the loss over the steps goes. */
  public Path lossChart() {
    return path.resolve("loss.svg");
  }

  /** Where the trained values go: parameters and statistics. */
  public Path model() {
    return path.resolve("model.safetensors");
  }

  /**
   * The newest checkpoint, whole or not; none where none was saved.
   *
   * @throws DataException where the folder cannot be read
   */
  public Optional<Path> newestCheckpoint() {
    return checkpoints(CheckpointFolder.KEEP).newest();
  }

  /** Where the weights of the best epoch go, where they are asked for. */
  Path best() {
    return path.resolve("best.safetensors");
  }

  /** The last checkpoints. */
  CheckpointFolder checkpoints(int keep) {
    return new CheckpointFolder(disk, path.resolve("checkpoints"), keep);
  }

  private void delete(Path file) {
    try {
      disk.delete(file);
    } catch (IOException e) {
      throw DataException.unwritable("run", file, e);
    }
  }

  private void write(String name, String text) {
    MemorySegment bytes = MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    try {
      WholeFile.write(disk, path.resolve(name), to -> to.write(bytes));
    } catch (IOException e) {
      throw DataException.unwritable("run", path.resolve(name), e);
    }
  }
}
