package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others do to the file of an open store: nothing is accepted that would be lost. */
final class SqliteFaultsTest {
  @TempDir private Path folder;
  private Path path;
  private JobStore store;
  private final NewJob first = Jobs.job(0);

  @BeforeEach
  void open() {
    path = folder.resolve("jobs.db");
    store = SqlJobStore.open(new StoreSettings.Sqlite(path));
    store.accept(first, Jobs.NO_LIMITS);
    assertTrue(store.find(first.id()).isPresent()); // by a connection that is kept
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void refuses(String expected) {
    StoreException refused =
        assertThrows(StoreException.class, () -> store.accept(Jobs.job(1), Jobs.NO_LIMITS));
    assertTrue(refused.problem().expected().contains(expected), refused::getMessage);
    assertTrue(store.find(first.id()).isPresent());
  }

  /** Who opens another connection to it gets none to another file, and makes none. */
  @Test
  void nobodyReadsWhatTookItsPlace() throws IOException {
    store.close();
    store = SqlJobStore.open(new StoreSettings.Sqlite(path));
    Path away = Files.move(path, folder.resolve("away"));
    StoreException refused = assertThrows(StoreException.class, () -> store.find(first.id()));
    assertTrue(refused.problem().expected().contains("the file that this server opened"));
    assertTrue(Files.notExists(path), "another one was made in its place");
    Files.move(away, path);
    accepts();
  }

  private void accepts() {
    NewJob job = Jobs.job(2);
    assertInstanceOf(Acceptance.Accepted.class, store.accept(job, Jobs.NO_LIMITS));
    store.close();
    store = SqlJobStore.open(new StoreSettings.Sqlite(path));
    assertTrue(store.find(job.id()).isPresent());
    assertEquals(2, store.counts().get("QUEUED"));
  }

  @Test
  void anotherProcessLocksIt() throws Exception {
    try (Connection other = new SqliteFile(path).source().getConnection()) {
      SqliteFile.execute(other, "BEGIN IMMEDIATE");
      refuses("that no other process writes");
      SqliteFile.execute(other, "ROLLBACK");
    }
    accepts();
  }

  @Test
  void itIsTakenAway() throws IOException {
    Path away = folder.resolve("away");
    Files.move(path, away);
    refuses("the file that this server opened");
    assertTrue(Files.notExists(path), "another one was made in its place");
    Files.move(away, path);
    accepts();
  }

  @Test
  void anotherTakesItsPlace() throws IOException {
    Path away = Files.move(path, folder.resolve("away"));
    Files.copy(away, path);
    byte[] other = Files.readAllBytes(path);
    refuses("the file that this server opened");
    assertEquals(other.length, Files.size(path));
    Files.move(away, path, StandardCopyOption.REPLACE_EXISTING);
    accepts();
  }

  @Test
  void itsFolderIsMoved() throws IOException {
    Path moved = folder.resolveSibling(folder.getFileName() + "-moved");
    Files.move(folder, moved);
    refuses("the file that this server opened");
    Files.move(moved, folder);
    accepts();
  }

  /** Of a process that was killed before the database had its log. */
  @Test
  void whatWasBegunIsTakenBack() throws Exception {
    Path begun = Files.createDirectory(folder.resolve("begun")).resolve("jobs.sqlite");
    Path killed = Files.createDirectory(folder.resolve("killed")).resolve("jobs.sqlite");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + begun)) {
      SqliteFile.execute(connection, "PRAGMA application_id = " + SqliteFile.APPLICATION);
      SqliteFile.execute(connection, "PRAGMA cache_size = 1");
      SqliteFile.execute(connection, "BEGIN");
      SqliteFile.execute(connection, "CREATE TABLE job (x)");
      for (int row = 0; row < 100; row++) {
        SqliteFile.execute(connection, "INSERT INTO job VALUES (randomblob(5000))");
      }
      Files.copy(begun, killed);
      Files.copy(journal(begun), journal(killed));
      SqliteFile.execute(connection, "ROLLBACK");
    }
    assertTrue(Files.size(journal(killed)) > 0);
    try (JobStore opened = SqlJobStore.open(new StoreSettings.Sqlite(killed))) {
      NewJob job = Jobs.job(0);
      opened.accept(job, Jobs.NO_LIMITS);
      assertTrue(opened.find(job.id()).isPresent());
    }
  }

  private static Path journal(Path database) {
    return database.resolveSibling(database.getFileName() + "-journal");
  }
}
