package dev.halfcell.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.SqlJobStore;
import dev.halfcell.rest.store.StoreSettings;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store has one folder of files, and no server works with another. */
final class ArtifactFolderTest {
  @TempDir private Path folder;

  private JobStore store() {
    return SqlJobStore.open(new StoreSettings.Sqlite(folder.resolve("jobs.sqlite")));
  }

  @Test
  void theFirstFolderIsTheStoresAndStaysSo() {
    Path shared = folder.resolve("shared");
    try (JobStore store = store()) {
      ArtifactFolder.require(shared, store);
      ArtifactFolder.require(shared, store);
    }
    try (JobStore later = store()) {
      ArtifactFolder.require(shared, later);
    }
  }

  @Test
  void anotherFolderIsRefusedAndLeftAsItWas() throws IOException {
    try (JobStore store = store()) {
      ArtifactFolder.require(folder.resolve("shared"), store);
      Path notMounted = Files.createDirectory(folder.resolve("notMounted"));
      ArgumentException refused =
          assertThrows(ArgumentException.class, () -> ArtifactFolder.require(notMounted, store));
      String said = refused.problem().message();
      assertTrue(said.contains("--artifacts") && said.contains(notMounted.toString()), said);
      try (Stream<Path> left = Files.list(notMounted.resolve(".halfcell"))) {
        assertEquals(0, left.count());
      }
      // As the message says what helps where the folder is lost for good.
      String named = said.replaceAll("(?s).*(\\.halfcell/[0-9a-f-]{36}).*", "$1");
      Files.createFile(notMounted.resolve(named));
      ArtifactFolder.require(notMounted, store);
    }
  }

  @Test
  void aFolderOfAnotherStoreIsRefused() {
    Path shared = folder.resolve("shared");
    try (JobStore store = store();
        JobStore other =
            SqlJobStore.open(new StoreSettings.Sqlite(folder.resolve("other.sqlite")))) {
      ArtifactFolder.require(folder.resolve("others"), other);
      ArtifactFolder.require(shared, store);
      assertThrows(ArgumentException.class, () -> ArtifactFolder.require(shared, other));
    }
  }

  @Test
  void whatCannotBeWrittenIsSaid() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    try (JobStore store = store()) {
      DataException refused =
          assertThrows(DataException.class, () -> ArtifactFolder.require(file, store));
      assertTrue(refused.problem().message().contains("--artifacts"), refused::getMessage);
    }
  }
}
