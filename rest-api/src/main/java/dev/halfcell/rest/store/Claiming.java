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

  /** More that are too large for a server are not looked past. */
  private static final String PASSED = " LIMIT 100";

  private static final String QUEUE =
      " FROM job j LEFT JOIN (SELECT owner, COUNT(*) AS held FROM job WHERE state IN"
          + " ('STARTING', 'RUNNING', 'CANCELLING') GROUP BY owner) h ON h.owner = j.owner"
          + " WHERE j.state = 'QUEUED'";

  /** The highest priority, then the owner who holds the fewest, then the oldest. */
  private static final String ORDER =
      " ORDER BY j.queue_rank, COALESCE(h.held, 0), j.created_at, j.id";

  private static final String HEAD = "SELECT " + JobRows.COLUMNS + QUEUE;
  private static final String ABOVE = HEAD + " AND j.queue_rank < ?";

  private static final String ALL = "SELECT j.id" + QUEUE + ORDER;

  Optional<Applied.Moved> claim(Connection connection, Claim claim) throws SQLException {
    Optional<JobRow> head = head(connection, claim);
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

  /** What is next for a server. What is too large for it is passed over, and told so. */
  private Optional<JobRow> head(Connection connection, Claim claim) throws SQLException {
    Optional<JobRow> first =
        Sql.first(connection, HEAD + ORDER + " LIMIT 1" + database.skipLocked(), JobRows::row);
    if (first.filter(row -> !fits(row, claim.totalBytes())).isEmpty()) {
      return first;
    }
    for (JobRow row : Sql.query(connection, HEAD + ORDER + PASSED, JobRows::row)) {
      if (fits(row, claim.totalBytes())) {
        return waiting(connection, row.summary().id());
      }
      tellOfSize(connection, row, claim);
    }
    return Optional.empty();
  }

  private static boolean fits(JobRow row, long totalBytes) {
    return row.summary().estimatedBytes() <= totalBytes;
  }

  /** A job of the queue that nobody else is at. */
  private Optional<JobRow> waiting(Connection connection, JobId id) throws SQLException {
    return Sql.first(
        connection,
        "SELECT "
            + JobRows.COLUMNS
            + " FROM job j WHERE j.id = ? AND j.state = 'QUEUED'"
            + database.skipLocked(),
        JobRows::row,
        id.text());
  }

  /** The head of the queue for a server of this size, where its priority is above this one. */
  static Optional<JobSummary> above(Connection connection, int priority, long totalBytes)
      throws SQLException {
    Optional<JobRow> first =
        Sql.first(connection, ABOVE + ORDER + " LIMIT 1", JobRows::row, -priority);
    return first.isEmpty() || fits(first.get(), totalBytes)
        ? first.map(JobRow::summary)
        : Sql.query(connection, ABOVE + ORDER + PASSED, JobRows::row, -priority).stream()
            .filter(row -> fits(row, totalBytes))
            .findFirst()
            .map(JobRow::summary);
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

  /** Unless it was told of memory or room already: the next server may see it otherwise. */
  private void tellOfSize(Connection connection, JobRow seen, Claim claim) throws SQLException {
    if (told(seen, claim.now())) {
      return;
    }
    Optional<JobRow> row =
        waiting(connection, seen.summary().id()).filter(now -> !told(now, claim.now()));
    if (row.isPresent()) {
      String message =
          String.format(
              Locale.ROOT,
              "It needs %s of memory, and a server has %s for all jobs. A larger one has to take"
                  + " it.",
              bytes(seen.summary().estimatedBytes()),
              bytes(claim.totalBytes()));
      StatusReason reason =
          new StatusReason(StatusReason.Code.WAITING_FOR_MEMORY, message, claim.now());
      JobSummary summary = new SummaryEdit(row.get().summary()).reason(reason).done();
      JobRows.save(connection, row.get().with(summary));
    }
  }

  private static boolean told(JobRow row, Instant now) {
    return row.summary().statusReason().code() == StatusReason.Code.WAITING_FOR_MEMORY
        || roomIsMade(row.summary(), now);
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
