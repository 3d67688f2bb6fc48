package dev.halfcell.rest.store;

import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.StatusReason;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Gives the job at the head of the queue to a server. */
record Claiming(Database database, EventRows events) {
  /** Who makes room for a job is done by then, or gone. */
  private static final Duration ROOM_TAKES = Duration.ofSeconds(60);

  private static final String QUEUE =
      " FROM job j LEFT JOIN (SELECT owner, COUNT(*) AS held FROM job WHERE state IN"
          + " ('STARTING', 'RUNNING', 'CANCELLING') GROUP BY owner) h ON h.owner = j.owner"
          + " WHERE j.state = 'QUEUED'";

  /** The highest priority, then the owner who holds the fewest, then the oldest. */
  private static final String ORDER =
      " ORDER BY j.queue_rank, COALESCE(h.held, 0), j.created_at, j.id";

  private static final String HEAD = "SELECT " + JobRows.COLUMNS + QUEUE + ORDER + " LIMIT 1";
  private static final String ABOVE =
      "SELECT " + JobRows.COLUMNS + QUEUE + " AND j.queue_rank < ?" + ORDER + " LIMIT 1";
  private static final String ALL = "SELECT j.id" + QUEUE + ORDER;

  Optional<Applied.Moved> claim(Connection connection, Claim claim) throws SQLException {
    Optional<JobRow> head = Sql.first(connection, HEAD + database.skipLocked(), JobRows::row);
    if (head.isEmpty()) {
      return Optional.empty();
    }
    JobRow row = head.get();
    if (row.summary().estimatedBytes() > claim.freeBytes()) {
      if (!roomIsMade(row.summary(), claim.now())) {
        tellOfMemory(connection, row, claim);
      }
      return Optional.empty();
    }
    return Optional.of(take(connection, row, claim));
  }

  /** The head of the queue, where its priority is above this one. */
  static Optional<JobSummary> above(Connection connection, int priority) throws SQLException {
    return Sql.first(connection, ABOVE, row -> JobRows.row(row).summary(), -priority);
  }

  /** The whole queue in its order. */
  static List<JobId> queue(Connection connection) throws SQLException {
    return Sql.query(connection, ALL, row -> new JobId(row.getString(1)));
  }

  /** Tells a waiting job that room is made for it, unless it was told so lately. */
  boolean tellOfRoom(Connection connection, JobId id, StatusReason reason) throws SQLException {
    Optional<JobRow> row =
        JobRows.lock(connection, database, id)
            .filter(there -> there.summary().state() == JobState.QUEUED)
            .filter(there -> !roomIsMade(there.summary(), reason.since()));
    if (row.isPresent()) {
      JobSummary summary = new SummaryEdit(row.get().summary()).reason(reason).done();
      JobRows.save(connection, row.get().with(summary));
    }
    return row.isPresent();
  }

  private static boolean roomIsMade(JobSummary job, Instant now) {
    StatusReason told = job.statusReason();
    return told.code() == StatusReason.Code.MAKING_ROOM
        && told.since().plus(ROOM_TAKES).isAfter(now);
  }

  private Applied.Moved take(Connection connection, JobRow row, Claim claim) throws SQLException {
    JobSummary job = row.summary();
    int attempt = job.attempt() + 1;
    StatusReason reason =
        new StatusReason(
            StatusReason.Code.STARTING_WORKER, "Its worker is being started.", claim.now());
    JobRow taken =
        row.heldBy(claim)
            .with(
                new SummaryEdit(job)
                    .state(JobState.STARTING)
                    .attempt(attempt)
                    .reason(reason)
                    .done());
    AttemptRows.insert(
        connection,
        job.id(),
        new Attempt(
            attempt,
            claim.server(),
            Optional.empty(),
            claim.now(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
    Report.Happened event = Moves.event(job.state(), taken, claim.now());
    EventRows.Appended appended = events.append(connection, taken, List.of(event));
    JobRows.save(connection, appended.row());
    return new Applied.Moved(WholeJobs.there(connection, job.id()), appended.events().getFirst());
  }

  private static void tellOfMemory(Connection connection, JobRow row, Claim claim)
      throws SQLException {
    StatusReason old = row.summary().statusReason();
    StatusReason.Code code = StatusReason.Code.WAITING_FOR_MEMORY;
    String message =
        String.format(
            Locale.ROOT,
            "It needs %s of memory, and %s are free.",
            bytes(row.summary().estimatedBytes()),
            bytes(Math.max(0, claim.freeBytes())));
    if (old.code() != code || !old.message().equals(message)) {
      StatusReason reason =
          new StatusReason(code, message, old.code() == code ? old.since() : claim.now());
      JobRows.save(connection, row.with(new SummaryEdit(row.summary()).reason(reason).done()));
    }
  }

  private static String bytes(long count) {
    return String.format(Locale.ROOT, "%.1f MiB", count / (double) (1 << 20));
  }
}
