package dev.halfcell.rest.worker;

import dev.halfcell.disk.Disk;
import dev.halfcell.disk.WholeFile;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;

/**
 * Copies a run as it was at one of its checkpoints, for another to go on from there. The copy's
 * name is there when all of it is on the disk, and not before.
 *
 * @param disk by which it is written
 * @param from the folder of the run
 * @param checkpoint the name of the file; older ones are copied too, in case it is damaged
 */
record RunCopy(Disk disk, Path from, String checkpoint) {
  private static final String CHECKPOINTS = "checkpoints";
  private static final String PARTIAL = ".partial";
  private static final int CHUNK = 1 << 20;

  /** What only a run that has ended has, or that means nothing elsewhere. */
  private static final Set<String> LEFT =
      Set.of(".lock", "model.safetensors", "summary.json", "loss.svg", "profile-trace.json");

  /**
   * Makes the copy.
   *
   * @param to a folder that is not there yet, beside which there is room
   * @throws DataException where there is no such checkpoint, or the disk refuses
   */
  void to(Path to) {
    Path checkpoints = from.resolve(CHECKPOINTS);
    if (!Files.isRegularFile(checkpoints.resolve(checkpoint))) {
      throw new DataException(
          new Problem(
              "resume",
              checkpoint,
              "a checkpoint of the job that this one goes on from",
              "none of that name",
              "Resume from another checkpoint."));
    }
    Path partial = to.resolveSibling(name(to) + PARTIAL);
    try {
      delete(partial);
      disk.createFolders(partial.resolve(CHECKPOINTS));
      copyFiles(from, partial);
      copyFiles(checkpoints, partial.resolve(CHECKPOINTS));
      disk.rename(partial, to);
      disk.force(to.toAbsolutePath().resolveSibling(""));
    } catch (IOException e) {
      throw DataException.unwritable("resume", to, e);
    }
  }

  private void copyFiles(Path folder, Path to) throws IOException {
    for (Path file : disk.list(folder)) {
      if (Files.isRegularFile(file) && isWanted(file)) {
        copy(file, to.resolve(name(file)));
      }
    }
    disk.force(to);
  }

  /** Names of checkpoints are as long as each other and grow with their steps. */
  private boolean isWanted(Path file) {
    boolean later = name(file).startsWith("step-") && name(file).compareTo(checkpoint) > 0;
    return !later && !LEFT.contains(name(file)) && !WholeFile.isLeftover(file);
  }

  private void copy(Path file, Path to) throws IOException {
    MemorySegment chunk = MemorySegment.ofArray(new byte[CHUNK]);
    try (Disk.Input in = disk.open(file);
        Disk.Output out = disk.create(to)) {
      long done = 0;
      for (long count = in.read(0, chunk); count > 0; count = in.read(done, chunk)) {
        out.write(chunk.asSlice(0, count));
        done += count;
      }
      out.force();
    }
  }

  /** What a worker that was killed has left. */
  private void delete(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      for (Path each : disk.list(folder)) {
        delete(each);
      }
    }
    disk.delete(folder);
  }

  private static String name(Path file) {
    return Objects.requireNonNull(file.getFileName(), "a file has a name").toString();
  }
}
