package dev.halfcell.rest.store;

import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.Move;
import dev.halfcell.rest.job.Origin;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.tensor.ArgumentException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Jobs in a database of SQLite or PostgreSQL. */
public final class SqlJobStore implements JobStore {
  private static final int EVENTS_KEPT = 20_000;

  private final Database database;
  private final KnownTexts<SealedJob, Job> jobs = new KnownTexts<>();
  private final KnownTexts<SealedSummary, JobSummary> summaries = new KnownTexts<>();
  private final EventRows events;
  private final Claiming claiming;
  private final InstantSource clock;

  SqlJobStore(Database database, int eventsKept, InstantSource clock) {
    this.database = database;
    this.events = new EventRows(eventsKept);
    this.claiming = new Claiming(database, events);
    this.clock = clock;
  }

  /**
   * Opens the store, which is made or brought up to date where it has to be.
   *
   * @throws StoreException where it cannot be, is damaged, is none of ours, or was written by a
   *     newer HalfCell; then it is left as it is
   */
  public static JobStore open(StoreSettings settings) {
    return new SqlJobStore(database(settings), EVENTS_KEPT, InstantSource.system());
  }

  static Database database(StoreSettings settings) {
    return switch (settings) {
      case StoreSettings.Sqlite sqlite -> SqliteDatabase.open(sqlite.file());
      case StoreSettings.Postgres postgres -> PostgresDatabase.open(postgres);
    };
  }

  @Override
  public Acceptance accept(NewJob job, AcceptLimits limits) {
    return database.accept(accepting -> accepting.accept(job, limits));
  }

  @Override
  public List<Acceptance> acceptAll(List<NewJob> jobs, AcceptLimits limits) {
    return database.accept(accepting -> accepting.acceptAll(jobs, limits));
  }

  @Override
  public Optional<Job> find(JobId id) {
    long before = database.moment();
    return database.read(
        connection -> {
          Optional<SealedJob> sealed = WholeJobs.sealed(connection, id);
          long asOf = database.moment() == before ? before : KnownTexts.NEVER;
          return sealed.isEmpty() ? Optional.empty() : Optional.of(jobs.open(sealed.get(), asOf));
        });
  }

  @Override
  public Optional<Job> known(JobId id) {
    return jobs.asOf(id.text(), database.moment());
  }

  @Override
  public Optional<JobId> keyed(String owner, String idempotencyKey) {
    Instant now = clock.instant();
    return database.read(connection -> Accepting.keyed(connection, owner, idempotencyKey, now));
  }

  @Override
  public JobPage list(JobQuery query) {
    return database.read(connection -> ListQuery.page(connection, query, summaries));
  }

  @Override
  public Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (JobState state : JobState.values()) {
      counts.put(state.name(), 0L);
    }
    database
        .read(
            connection ->
                Sql.query(
                    connection,
                    "SELECT state, COUNT(*) FROM job GROUP BY state",
                    row -> Map.entry(row.getString(1), row.getLong(2))))
        .forEach(count -> counts.put(count.getKey(), count.getValue()));
    return counts;
  }

  @Override
  public Optional<Job> describe(JobId id, DescriptionChange change) {
    return database.write(
        connection -> {
          Optional<JobRow> row = JobRows.lock(connection, database, id);
          if (row.isPresent()) {
            describe(connection, row.get(), change);
          }
          return WholeJobs.find(connection, id);
        });
  }

  private static void describe(Connection connection, JobRow row, DescriptionChange change)
      throws SQLException {
    Description old = row.summary().description();
    Description changed =
        new Description(
            change.name().or(old::name).filter(name -> !name.isEmpty()),
            change.labels().orElse(old.labels()),
            change.notes().or(old::notes).filter(notes -> !notes.isEmpty()),
            change.priority().orElse(old.priority()),
            change.pinned().orElse(old.pinned()));
    boolean labels = JobRows.differ(old.labels(), changed.labels());
    if (labels || !old.equals(changed)) {
      JobSummary summary = new SummaryEdit(row.summary()).description(changed).done();
      JobRows.save(connection, row.with(summary));
      if (labels) {
        JobRows.replaceLabels(connection, summary);
      }
    }
  }

  @Override
  public Applied apply(JobId id, Transition transition) {
    ArgumentException.require(
        transition.action() != JobAction.CLAIM, "action", "claim() for a claim", "CLAIM");
    return database.write(
        connection -> {
          Optional<JobRow> row = JobRows.lock(connection, database, id);
          return row.isEmpty() ? new Applied.Missing() : apply(connection, row.get(), transition);
        });
  }

  private Applied apply(Connection connection, JobRow row, Transition transition)
      throws SQLException {
    JobId id = row.summary().id();
    if (!transition.fence().map(row::lastAttemptIs).orElse(true)) {
      return new Applied.Fenced(WholeJobs.there(connection, id));
    }
    return switch (row.summary().state().next(transition.action())) {
      case Move.Refused() -> new Applied.Refused(WholeJobs.there(connection, id));
      case Move.Stays() -> {
        if (Moves.tellsOfWish(row, transition)) {
          JobSummary summary = new SummaryEdit(row.summary()).reason(transition.reason()).done();
          JobRows.save(connection, row.with(summary));
        }
        yield new Applied.Stayed(WholeJobs.there(connection, id));
      }
      case Move.To(JobState to) -> {
        JobEvent event = move(connection, row, transition, Moves.target(row, to));
        yield new Applied.Moved(WholeJobs.there(connection, id), event);
      }
    };
  }

  private JobEvent move(Connection connection, JobRow row, Transition transition, JobState to)
      throws SQLException {
    JobId id = row.summary().id();
    JobState from = row.summary().state();
    JobRow moved = Moves.moved(row, transition, to);
    Report.Happened happened = Moves.event(from, moved, transition.reason().since());
    EventRows.Appended appended = events.append(connection, moved, List.of(happened));
    JobRows.save(connection, appended.row());
    if (to == JobState.QUEUED) {
      Waits.beginAgain(connection, id, transition.reason().since());
    }
    JobRows.outcome(
        connection,
        id,
        new JobRows.Outcome(
            transition.exit(), transition.failure().filter(_ -> to == JobState.FAILED)));
    if (from.held() && !to.held()) {
      AttemptRows.end(
          connection,
          id,
          row.summary().attempt(),
          Moves.attemptEnd(row, transition),
          Moves.attemptReason(moved, transition),
          transition.exit());
    }
    return appended.events().getFirst();
  }

  @Override
  public Optional<Applied.Moved> claim(Claim claim) {
    return database.write(connection -> claiming.claim(connection, claim));
  }

  @Override
  public Optional<JobSummary> waitingAbove(int priority, long totalBytes) {
    return database.read(connection -> Claiming.above(connection, priority, totalBytes));
  }

  @Override
  public boolean tellOfRoom(JobId id, StatusReason reason) {
    return database.write(connection -> claiming.tellOfRoom(connection, id, reason));
  }

  @Override
  public List<JobId> queue() {
    return database.read(Claiming::queue);
  }

  @Override
  public boolean shared() {
    return database instanceof PostgresDatabase;
  }

  @Override
  public void renew(String server, Instant leaseUntil) {
    database.write(
        connection ->
            Sql.update(
                connection,
                "UPDATE job SET lease_until = ? WHERE server = ? AND lease_until < ?"
                    + " AND state IN ('STARTING', 'RUNNING', 'CANCELLING')",
                Nanos.of(leaseUntil),
                server,
                Nanos.of(leaseUntil)));
  }

  @Override
  public List<JobSummary> abandoned(String server, Instant now) {
    return database.read(
        connection ->
            Sql.query(
                connection,
                "SELECT "
                    + JobRows.COLUMNS
                    + " FROM job j WHERE j.state IN ('STARTING', 'RUNNING', 'CANCELLING')"
                    + " AND (j.server = ? OR j.lease_until <= ?) ORDER BY j.created_at, j.id",
                row -> JobRows.row(row).summary(),
                server,
                Nanos.of(now)));
  }

  @Override
  public List<Job> overdue(Instant now) {
    return database.read(connection -> WholeJobs.overdue(connection, now));
  }

  @Override
  public Optional<Job> successor(Origin from) {
    return database.read(connection -> WholeJobs.successor(connection, from));
  }

  @Override
  public List<Job> interrupted() {
    return database.read(WholeJobs::interrupted);
  }

  @Override
  public Optional<List<JobEvent>> report(Fence fence, Report report) {
    return database.write(
        connection -> {
          Optional<JobRow> row =
              JobRows.lock(connection, database, fence.job()).filter(there -> there.atHand(fence));
          return row.isEmpty()
              ? Optional.empty()
              : Optional.of(report(connection, row.get(), fence, report));
        });
  }

  private List<JobEvent> report(Connection connection, JobRow row, Fence fence, Report report)
      throws SQLException {
    if (report.empty()) {
      return List.of();
    }
    AttemptRows.describe(connection, fence, report);
    JobSummary summary =
        new SummaryEdit(row.summary()).progress(report.progress()).metrics(report.metrics()).done();
    EventRows.Appended appended = events.append(connection, row.with(summary), report.events());
    JobRows.save(connection, appended.row());
    return appended.events();
  }

  @Override
  public List<JobEvent> events(JobId id, long after, int limit) {
    return database.read(connection -> EventRows.behind(connection, id, after, limit));
  }

  @Override
  public long oldestEvent(JobId id) {
    return database.read(
        connection ->
            Sql.first(
                    connection,
                    "SELECT j.first_event FROM job j WHERE j.id = ?",
                    row -> row.getLong(1),
                    id.text())
                .orElse(1L));
  }

  @Override
  public boolean delete(JobId id) {
    return database.write(connection -> delete(connection, id, job -> job.state().terminal()));
  }

  @Override
  public boolean deleteUnpinned(JobId id) {
    return database.write(
        connection ->
            delete(connection, id, job -> job.state().terminal() && !job.description().pinned()));
  }

  private boolean delete(Connection connection, JobId id, Predicate<JobSummary> may)
      throws SQLException {
    return JobRows.lock(connection, database, id).map(JobRow::summary).filter(may).isPresent()
        && !JobRows.wanted(connection, id)
        && Sql.update(connection, "DELETE FROM job WHERE id = ?", id.text()) > 0;
  }

  @Override
  public String keep(String name, String text) {
    return database.write(connection -> Facts.keep(connection, name, text));
  }

  @Override
  public void close() {
    database.close();
  }
}
