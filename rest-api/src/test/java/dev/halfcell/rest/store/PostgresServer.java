package dev.halfcell.rest.store;

import dev.halfcell.testkit.PostgresProcess;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** A PostgreSQL of its own for a test class, and what the store has in it. */
record PostgresServer(PostgresProcess process) implements AutoCloseable {
  /** Skips the tests where PostgreSQL is not installed. */
  static PostgresServer start() throws Exception {
    return new PostgresServer(PostgresProcess.start());
  }

  Connection connect() throws SQLException {
    return process.connect();
  }

  StoreSettings.Postgres settings() {
    return new StoreSettings.Postgres(
        process.url(), Optional.empty(), Optional.of(process.password()));
  }

  /** Leaves an empty database. */
  void clear() throws SQLException {
    try (Connection connection = connect()) {
      Sql.update(connection, "DROP SCHEMA public CASCADE");
      Sql.update(connection, "CREATE SCHEMA public");
    }
  }

  /** Leaves the tables, where they are ours, and nothing in them: making them anew takes longer. */
  void truncate() throws SQLException {
    try (Connection connection = connect()) {
      long ours =
          Sql.number(
              connection,
              "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'job'");
      if (ours == 0) {
        clear();
      } else {
        Sql.update(connection, "DELETE FROM " + Schema.HISTORY + " WHERE version = '99'");
        Sql.update(connection, "TRUNCATE job, fact CASCADE");
      }
    }
  }

  /** Ends it as a crash does, and starts it again. */
  void restart() throws Exception {
    process.restart();
  }

  @Override
  public void close() throws Exception {
    process.close();
  }
}
