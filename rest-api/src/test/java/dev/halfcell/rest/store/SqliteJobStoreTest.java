package dev.halfcell.rest.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract on SQLite. */
final class SqliteJobStoreTest extends JobStoreContract {
  @TempDir static Path made;
  @TempDir Path folder;

  /** Making the tables takes longer than most tests. */
  @BeforeAll
  static void makeTables() {
    SqlJobStore.open(new StoreSettings.Sqlite(made.resolve("jobs.db"))).close();
  }

  @Override
  Database empty() {
    try {
      Path file = Files.copy(made.resolve("jobs.db"), folder.resolve("jobs.db"));
      return SqlJobStore.database(new StoreSettings.Sqlite(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
