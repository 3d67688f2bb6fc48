package dev.halfcell.rest.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * How many jobs each owner has in each state, in the columns {@code owner}, {@code state} and
 * {@code jobs}. Counting a queue for each job that comes into it takes longer the longer it is, so
 * where one connection alone writes, it keeps the counts: beside the database, in its own memory,
 * made anew when it opens, and taken back with a transaction that fails.
 */
final class JobCounts {
  /** What a query selects from where nobody keeps them. */
  static final String COUNTED =
      "(SELECT owner, state, COUNT(*) AS jobs FROM job GROUP BY owner, state) AS job_count";

  /** What a query of the connection that keeps them selects from. */
  static final String KEPT = "job_count";

  private static final String ONE_MORE =
      "INSERT INTO job_count (state, owner, jobs) VALUES (NEW.state, NEW.owner, 1)"
          + " ON CONFLICT (state, owner) DO UPDATE SET jobs = jobs + 1;";
  private static final String ONE_LESS =
      "UPDATE job_count SET jobs = jobs - 1 WHERE state = OLD.state AND owner = OLD.owner;";

  private static final List<String> KEEPING =
      List.of(
          "CREATE TEMP TABLE job_count (state TEXT NOT NULL, owner TEXT NOT NULL,"
              + " jobs INTEGER NOT NULL, PRIMARY KEY (state, owner)) WITHOUT ROWID",
          "CREATE TEMP TRIGGER job_comes AFTER INSERT ON main.job BEGIN " + ONE_MORE + " END",
          "CREATE TEMP TRIGGER job_goes AFTER DELETE ON main.job BEGIN " + ONE_LESS + " END",
          "CREATE TEMP TRIGGER job_moves AFTER UPDATE OF state, owner ON main.job"
              + " WHEN NEW.state <> OLD.state OR NEW.owner <> OLD.owner BEGIN "
              + ONE_LESS
              + ONE_MORE
              + " END",
          "INSERT INTO job_count (state, owner, jobs)"
              + " SELECT state, owner, COUNT(*) FROM job GROUP BY state, owner");

  private JobCounts() {}

  /** Has a connection of SQLite keep them from now on; no other one may write jobs. */
  static void keep(Connection connection) throws SQLException {
    SqliteFile.execute(connection, "PRAGMA temp_store = MEMORY");
    for (String step : KEEPING) {
      SqliteFile.execute(connection, step);
    }
  }
}
