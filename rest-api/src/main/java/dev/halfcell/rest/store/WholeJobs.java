package dev.halfcell.rest.store;

import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads jobs with their specifications and attempts, in one statement: so they fit each other. */
final class WholeJobs {
  private static final String QUERY =
      "SELECT "
          + JobRows.COLUMNS
          + ", j.outcome, s.sent, s.resolved, a.number, a.content FROM job j"
          + " JOIN specification s ON s.job_id = j.id LEFT JOIN attempt a ON a.job_id = j.id ";

  private static final String OLDEST_FIRST = " ORDER BY j.created_at, j.id, a.number";

  private WholeJobs() {}

  static Optional<Job> find(Connection connection, JobId id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(QUERY + "WHERE j.id = ? ORDER BY a.number")) {
      statement.setString(1, id.text());
      return all(statement).stream().findFirst();
    }
  }

  /** A job that this transaction has written. */
  static Job there(Connection connection, JobId id) throws SQLException {
    return find(connection, id)
        .orElseThrow(() -> new Damage("job " + id + " has no specification"));
  }

  static List<Job> overdue(Connection connection, Instant now) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            QUERY + "WHERE j.state = 'QUEUED' AND j.wait_until < ?" + OLDEST_FIRST)) {
      statement.setLong(1, Nanos.of(now));
      return all(statement);
    }
  }

  static List<Job> interrupted(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(QUERY + "WHERE j.state = 'INTERRUPTED'" + OLDEST_FIRST)) {
      return all(statement);
    }
  }

  private static List<Job> all(PreparedStatement statement) throws SQLException {
    List<Job> jobs = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      boolean more = rows.next();
      while (more) {
        String id = rows.getString(1);
        Job job = withoutAttempts(rows);
        List<Attempt> attempts = new ArrayList<>();
        while (more && rows.getString(1).equals(id)) {
          attempts.addAll(
              AttemptRows.read(job.id(), rows.getInt(10), rows.getString(11)).stream().toList());
          more = rows.next();
        }
        jobs.add(
            new Job(
                job.summary(),
                job.specification(),
                job.resolved(),
                attempts,
                job.exit(),
                job.failure()));
      }
    }
    return jobs;
  }

  private static Job withoutAttempts(ResultSet rows) throws SQLException {
    JobRow row = JobRows.row(rows);
    JobId id = row.summary().id();
    JobRows.Outcome outcome = JobRows.outcome(id, Optional.ofNullable(rows.getString(7)));
    return new Job(
        row.summary(),
        Seal.open(rows.getString(8), "the specification of job " + id, id),
        Seal.open(rows.getString(9), "the resolved specification of job " + id, id),
        List.of(),
        outcome.exit(),
        outcome.failure());
  }
}
