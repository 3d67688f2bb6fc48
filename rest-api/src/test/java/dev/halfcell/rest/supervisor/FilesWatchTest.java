package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FilesWatchTest {
  @TempDir Path folder;

  @Test
  void whatOneWorkerFindsMissingIsMissingForAllAtOnce() throws IOException {
    Path mark = Files.createFile(folder.resolve("mark"));
    FilesWatch watch = FilesWatch.start(Optional.of(mark));
    try {
      assertTrue(watch.areThere());
      assertTrue(watch.wereThere());
      Files.delete(mark);
      assertFalse(watch.areThere());
      assertFalse(watch.wereThere(), "a job given back for it would be taken again");
      Files.createFile(mark);
      assertTrue(watch.areThere());
      assertTrue(watch.wereThere());
    } finally {
      watch.end();
    }
  }

  @Test
  void filesOfTheServersOwnAreAlwaysThere() {
    FilesWatch watch = FilesWatch.start(Optional.empty());
    assertTrue(watch.areThere());
    assertTrue(watch.wereThere());
    watch.end();
  }
}
