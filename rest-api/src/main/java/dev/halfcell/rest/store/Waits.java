package dev.halfcell.rest.store;

import dev.halfcell.rest.job.JobId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/**
 * Until when jobs may stand in the queue. Kept apart from why they wait: that changes while they
 * do.
 */
final class Waits {
  private static final String KEY = "queueTimeout";

  private Waits() {}

  /** A job comes into the queue. */
  static void begin(Connection connection, JobId id, String resolved, Instant now)
      throws SQLException {
    Optional<Long> until =
        resolved.contains(KEY)
            ? Json.number(resolved, KEY).map(seconds -> Nanos.of(now.plusSeconds(seconds)))
            : Optional.empty();
    Sql.update(connection, "UPDATE job SET wait_until = ? WHERE id = ?", until, id.text());
  }

  /** The same of a job whose specification lies in the database. */
  static void beginAgain(Connection connection, JobId id, Instant now) throws SQLException {
    begin(connection, id, WholeJobs.there(connection, id).resolved(), now);
  }
}
