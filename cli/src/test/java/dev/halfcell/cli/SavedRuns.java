package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.data.SafeTensors;
import dev.halfcell.disk.Disk;
import dev.halfcell.disk.WholeFile;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.train.checkpoint.CheckpointFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What a service has on the disk of the runs of its jobs. */
final class SavedRuns {
  private SavedRuns() {}

  private static List<Path> checkpoints(Path folder) throws IOException {
    return list(folder).stream()
        .filter(file -> file.toString().endsWith(".safetensors"))
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  /** The folders with the checkpoints of all jobs; jobs are in folders of their first digits. */
  private static List<Path> folders(Path service) throws IOException {
    List<Path> folders = new ArrayList<>();
    for (Path digits : list(service.resolve("jobs"))) {
      for (Path job : list(digits)) {
        Path checkpoints = job.resolve("run").resolve("checkpoints");
        if (Files.isDirectory(checkpoints)) {
          folders.add(checkpoints);
        }
      }
    }
    return folders;
  }

  /** None where no job was there yet. */
  private static List<Path> list(Path folder) throws IOException {
    if (Files.notExists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  /** The newest checkpoint of each run can be read, and is what was written. */
  static void assertNewestWhole(Path service) throws IOException {
    for (Path folder : folders(service)) {
      boolean whole = false;
      while (!whole) {
        List<Path> checkpoints = checkpoints(folder);
        whole = checkpoints.isEmpty() || isWhole(checkpoints.getFirst());
      }
    }
  }

  /** False where a worker that has not ended yet wrote newer ones, and deleted this. */
  private static boolean isWhole(Path checkpoint) {
    try (TensorScope scope = TensorScope.open()) {
      return !SafeTensors.readChecked(Disk.local(), checkpoint, scope).tensors().isEmpty();
    } catch (DataException e) {
      assertTrue(Files.notExists(checkpoint), e::getMessage);
      return false;
    }
  }

  /** No file is left of those that were being written, and no checkpoint but the last ones. */
  static void assertTidy(Path service) throws IOException {
    try (Stream<Path> files = Files.walk(service)) {
      assertEquals(List.of(), files.filter(WholeFile::isLeftover).toList());
    }
    for (Path folder : folders(service)) {
      List<Path> checkpoints = checkpoints(folder);
      assertTrue(checkpoints.size() <= CheckpointFolder.KEEP, checkpoints::toString);
    }
  }
}
