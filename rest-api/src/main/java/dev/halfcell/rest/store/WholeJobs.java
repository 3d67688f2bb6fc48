package dev.halfcell.rest.store;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.Origin;
import java.sql.Connection;
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
          + ", "
          + SealedJob.MORE_COLUMNS
          + " FROM job j"
          + " JOIN specification s ON s.job_id = j.id LEFT JOIN attempt a ON a.job_id = j.id ";

  private static final String OLDEST_FIRST = " ORDER BY j.created_at, j.id, a.number";

  private WholeJobs() {}

  static Optional<SealedJob> sealed(Connection connection, JobId id) throws SQLException {
    return Sql.all(
            connection, QUERY + "WHERE j.id = ? ORDER BY a.number", SealedJob::all, id.text())
        .stream()
        .findFirst();
  }

  static Optional<Job> find(Connection connection, JobId id) throws SQLException {
    Optional<SealedJob> sealed = sealed(connection, id);
    return sealed.isEmpty() ? Optional.empty() : Optional.of(sealed.get().open());
  }

  /** A job that this transaction has written. */
  static Job there(Connection connection, JobId id) throws SQLException {
    return find(connection, id)
        .orElseThrow(() -> new Damage("job " + id + " has no specification"));
  }

  static List<Job> overdue(Connection connection, Instant now) throws SQLException {
    return open(
        Sql.all(
            connection,
            QUERY + "WHERE j.state = 'QUEUED' AND j.wait_until < ?" + OLDEST_FIRST,
            SealedJob::all,
            Nanos.of(now)));
  }

  static List<Job> interrupted(Connection connection) throws SQLException {
    return open(
        Sql.all(
            connection, QUERY + "WHERE j.state = 'INTERRUPTED'" + OLDEST_FIRST, SealedJob::all));
  }

  /** The newest that goes on from there and is no dead one. */
  static Optional<Job> successor(Connection connection, Origin from) throws SQLException {
    List<Job> living =
        open(
            Sql.all(
                connection,
                QUERY
                    + "WHERE j.state NOT IN ('FAILED', 'CANCELLED') AND j.summary LIKE ?"
                    + OLDEST_FIRST,
                SealedJob::all,
                JobRows.resumedFrom(from.job())));
    return living.stream()
        .filter(job -> job.summary().resumedFrom().equals(Optional.of(from)))
        .reduce((_, newer) -> newer);
  }

  private static List<Job> open(List<SealedJob> sealed) throws SQLException {
    List<Job> jobs = new ArrayList<>();
    for (SealedJob job : sealed) {
      jobs.add(job.open());
    }
    return jobs;
  }
}
