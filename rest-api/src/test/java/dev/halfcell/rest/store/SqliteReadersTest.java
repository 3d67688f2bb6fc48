package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Phaser;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteReadersTest {
  private static final int READERS = 4;

  @TempDir private Path folder;

  /** A server's open files would grow by two whenever one more had to read at the same time. */
  @Test
  void asManyFilesAreOpenHoweverManyReadAtTheSameTime() throws Exception {
    try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("jobs.db"))) {
      long before = openFiles();
      Phaser all = new Phaser(READERS);
      AcceptContract.together(
          READERS, _ -> database.read(connection -> all.arriveAndAwaitAdvance()));
      assertEquals(before, openFiles());
    }
  }

  private long openFiles() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(this::isBelow).count();
    }
  }

  private boolean isBelow(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(folder);
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }
}
