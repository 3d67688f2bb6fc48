package dev.halfcell.rest;

import dev.halfcell.disk.Disk;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * The folder with the files of a store's jobs, which its servers share. The store knows which one
 * it is: on a machine where it is not mounted a server would find no checkpoint, and begin anew
 * what others have half trained.
 */
final class ArtifactFolder {
  private static final String FACT = "artifacts";
  private static final String MARKS = ".halfcell";

  private ArtifactFolder() {}

  /**
   * Holds a folder to be that of a store; the first one that a store sees is.
   *
   * @return the file in it by which it is known
   * @throws ArgumentException where it is another
   * @throws DataException where it cannot be written
   */
  static Path require(Path folder, JobStore store) {
    Path marks = folder.resolve(MARKS);
    try {
      Disk disk = Disk.local();
      disk.createFolders(marks);
      List<Path> there = disk.list(marks);
      Path mark = there.isEmpty() ? marks.resolve(UUID.randomUUID().toString()) : there.getFirst();
      if (there.isEmpty()) {
        // Before the store hears of it. Servers that start together may make one each.
        Files.createFile(mark);
        disk.force(marks);
      }
      String kept = store.keep(FACT, String.valueOf(mark.getFileName()));
      if (!Files.exists(marks.resolve(kept))) {
        if (there.isEmpty()) {
          disk.delete(mark);
        }
        throw another(folder, kept);
      }
      return marks.resolve(kept);
    } catch (IOException e) {
      throw DataException.unwritable("--artifacts", folder, e);
    }
  }

  private static ArgumentException another(Path folder, String kept) {
    return new ArgumentException(
        new Problem(
            "--artifacts",
            folder.toString(),
            "the folder with the files of this store's jobs, in which "
                + MARKS
                + "/"
                + kept
                + " is",
            "another one",
            "Mount the one that the other servers have. Where it is lost, make that file."));
  }
}
