package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts that are kept are those that counting finds, whatever becomes of the jobs. */
final class JobCountsTest {
  private static final List<String> STATES = List.of("QUEUED", "RUNNING", "SUCCEEDED");
  private static final int CHANGES = 400;

  @TempDir private Path folder;

  private final Random random = new Random(7);
  private int made;

  @Test
  void countsAreThoseThatCountingFinds() throws SQLException {
    SqliteFile file = new SqliteFile(folder.resolve("jobs.db"));
    try (Connection connection = file.source().getConnection()) {
      new Schema(file.source(), "here", "common", "sqlite").migrate();
      insert(connection);
      JobCounts.keep(connection);
      for (int i = 0; i < CHANGES; i++) {
        SqliteFile.execute(connection, "BEGIN IMMEDIATE");
        change(connection);
        change(connection);
        SqliteFile.execute(connection, random.nextInt(4) == 0 ? "ROLLBACK" : "COMMIT");
        assertEquals(
            counts(connection, JobCounts.COUNTED), counts(connection, JobCounts.KEPT), "" + i);
      }
    }
  }

  private void change(Connection connection) throws SQLException {
    switch (random.nextInt(6)) {
      case 0 -> some(connection, "DELETE FROM job");
      case 1 -> some(connection, "UPDATE job SET state = '" + any(STATES) + "', queue_rank = 1");
      case 2 -> some(connection, "UPDATE job SET owner = '" + any(List.of("ann", "bob")) + "'");
      case 3 -> some(connection, "UPDATE job SET lease_until = 3");
      default -> insert(connection);
    }
  }

  private void some(Connection connection, String sql) throws SQLException {
    var _ = Sql.update(connection, sql + " WHERE id = ?", "" + random.nextInt(made));
  }

  private void insert(Connection connection) throws SQLException {
    var _ =
        Sql.update(
            connection,
            "INSERT INTO job (id, owner, state, queue_rank, network, level, created_at, first_event,"
                + " last_event, summary) VALUES (?, ?, ?, 0, 'mlp', 'O2', 0, 0, 0, '')",
            "" + made++,
            any(List.of("ann", "bob")),
            any(STATES));
  }

  private String any(List<String> texts) {
    return texts.get(random.nextInt(texts.size()));
  }

  private static List<String> counts(Connection connection, String from) throws SQLException {
    return Sql.query(
        connection,
        "SELECT owner, state, jobs FROM " + from + " WHERE jobs > 0 ORDER BY owner, state",
        row -> row.getString(1) + " " + row.getString(2) + " " + row.getLong(3));
  }
}
