package dev.halfcell.rest.store;

import dev.halfcell.rest.job.Exit;
import dev.halfcell.rest.job.Failure;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobSummary;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads and writes the rows of {@code job} and its labels. */
final class JobRows {
  /** What {@link #row} reads, of {@code job j}. */
  static final String COLUMNS =
      "j.id, j.server, j.lease_until, j.first_event, j.last_event, j.summary";

  private JobRows() {}

  /**
   * How a job's last worker ended.
   *
   * @param exit how its process did
   * @param failure why the job failed
   */
  record Outcome(Optional<Exit> exit, Optional<Failure> failure) {}

  static JobRow row(ResultSet rows) throws SQLException {
    SealedSummary sealed = SealedSummary.of(rows);
    long lease = rows.getLong(3);
    boolean leased = !rows.wasNull();
    return new JobRow(
        sealed.open(),
        sealed.server(),
        leased ? Optional.of(Nanos.instant(lease)) : Optional.empty(),
        sealed.firstEvent(),
        sealed.lastEvent());
  }

  /** The row of a job, which no other transaction writes until this one ends. */
  static Optional<JobRow> lock(Connection connection, Database database, JobId id)
      throws SQLException {
    return Sql.first(
        connection,
        "SELECT " + COLUMNS + " FROM job j WHERE j.id = ?" + database.forUpdate(),
        JobRows::row,
        id.text());
  }

  static void insert(Connection connection, JobRow row) throws SQLException {
    JobSummary job = row.summary();
    Sql.update(
        connection,
        "INSERT INTO job (id, owner, external_id, state, queue_rank, network, level, created_at,"
            + " server, lease_until, first_event, last_event, summary) VALUES ("
            + Sql.places(13)
            + ")",
        job.id().text(),
        job.owner(),
        job.externalId(),
        job.state().name(),
        rank(job),
        job.network(),
        job.level(),
        Nanos.of(job.createdAt()),
        row.server(),
        row.leaseUntil().map(Nanos::of),
        row.firstEvent(),
        row.lastEvent(),
        sealed(row));
    insertLabels(connection, job);
  }

  /** Writes all that may change in a row, but its labels and outcome. */
  static void save(Connection connection, JobRow row) throws SQLException {
    JobSummary job = row.summary();
    Sql.update(
        connection,
        "UPDATE job SET state = ?, queue_rank = ?, server = ?, lease_until = ?, first_event = ?,"
            + " last_event = ?, summary = ? WHERE id = ?",
        job.state().name(),
        rank(job),
        row.server(),
        row.leaseUntil().map(Nanos::of),
        row.firstEvent(),
        row.lastEvent(),
        sealed(row),
        job.id().text());
  }

  /** Whether a job that is not over goes on from this one. */
  static boolean wanted(Connection connection, JobId id) throws SQLException {
    return Sql.number(
            connection,
            "SELECT COUNT(*) FROM job WHERE state IN ('QUEUED', 'STARTING', 'RUNNING', 'PAUSED',"
                + " 'INTERRUPTED', 'CANCELLING') AND summary LIKE ?",
            resumedFrom(id))
        > 0;
  }

  /** What the summaries of those that go on from a job are like, and perhaps some others. */
  static String resumedFrom(JobId id) {
    return "%\"resumedFrom\":{%" + id.text() + "%";
  }

  static void replaceLabels(Connection connection, JobSummary job) throws SQLException {
    Sql.update(connection, "DELETE FROM label WHERE job_id = ?", job.id().text());
    insertLabels(connection, job);
  }

  private static void insertLabels(Connection connection, JobSummary job) throws SQLException {
    List<Object[]> labels =
        job.description().labels().entrySet().stream()
            .map(label -> new Object[] {job.id().text(), label.getKey(), label.getValue()})
            .toList();
    Sql.each(connection, "INSERT INTO label (job_id, name, content) VALUES (?, ?, ?)", labels);
  }

  /** Writes how the last worker ended, where anything is said of it. */
  static void outcome(Connection connection, JobId id, Outcome said) throws SQLException {
    if (said.exit().isPresent() || said.failure().isPresent()) {
      Outcome old =
          Sql.first(
                  connection,
                  "SELECT outcome FROM job WHERE id = ?",
                  row -> outcome(id, Optional.ofNullable(row.getString(1))),
                  id.text())
              .orElseThrow(() -> new Damage("job " + id + " is missing"));
      Outcome now = new Outcome(said.exit().or(old::exit), said.failure().or(old::failure));
      Sql.update(
          connection,
          "UPDATE job SET outcome = ? WHERE id = ?",
          Seal.close(Json.write(now), id),
          id.text());
    }
  }

  /** That of a column which may be empty. */
  static Outcome outcome(JobId id, Optional<String> sealed) throws SQLException {
    return sealed.isEmpty()
        ? new Outcome(Optional.empty(), Optional.empty())
        : Json.read(Seal.open(sealed.get(), "the outcome of job " + id, id), Outcome.class);
  }

  /** Whether the labels of two descriptions are not the same. */
  static boolean differ(Map<String, String> some, Map<String, String> others) {
    return !List.copyOf(some.entrySet()).equals(List.copyOf(others.entrySet()));
  }

  private static int rank(JobSummary job) {
    return -job.description().priority();
  }

  private static String sealed(JobRow row) {
    return Seal.close(
        Json.write(row.summary()),
        row.summary().id(),
        row.server().orElse(""),
        row.firstEvent(),
        row.lastEvent());
  }
}
