package dev.halfcell.rest.store;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The contract on SQLite. */
final class SqliteJobStoreTest extends JobStoreContract {
  @TempDir Path folder;

  @Override
  Database empty() {
    return SqlJobStore.database(new StoreSettings.Sqlite(folder.resolve("jobs.db")));
  }
}
