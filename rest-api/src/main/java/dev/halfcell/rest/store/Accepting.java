package dev.halfcell.rest.store;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.StatusReason;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Takes jobs into the queue, in one transaction, during which no other one accepts any. It counts
 * once what is there, and then what it adds.
 */
final class Accepting {
  private static final Duration KEYS_ARE_KEPT = Duration.ofHours(24);

  private final Connection connection;
  private final String counts;
  private final Map<String, Long> liveByOwner = new HashMap<>();
  private OptionalLong queued = OptionalLong.empty();

  /**
   * In the transaction of a connection.
   *
   * @param counts from what {@link JobCounts} are selected in it
   */
  Accepting(Connection connection, String counts) {
    this.connection = connection;
    this.counts = counts;
  }

  private record Known(String request, JobId job) {}

  Acceptance accept(NewJob job, AcceptLimits limits) throws SQLException {
    return acceptAll(List.of(job), limits).getFirst();
  }

  /** The same for jobs of one owner; nothing is written where one of them is refused. */
  List<Acceptance> acceptAll(List<NewJob> jobs, AcceptLimits limits) throws SQLException {
    List<Optional<Acceptance>> known = new ArrayList<>();
    for (NewJob job : jobs) {
      Optional<Acceptance> there = known(job);
      if (there.filter(one -> !(one instanceof Acceptance.Replayed)).isPresent()) {
        return List.of(there.get());
      }
      known.add(there);
    }
    long fresh = known.stream().filter(Optional::isEmpty).count();
    String owner = jobs.getFirst().owner();
    Optional<Acceptance> refusal = fresh == 0 ? Optional.empty() : tooMany(owner, fresh, limits);
    if (refusal.isPresent()) {
      return List.of(refusal.get());
    }
    List<Acceptance> all = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      all.add(
          known.get(i).isPresent()
              ? known.get(i).get()
              : new Acceptance.Accepted(insert(jobs.get(i))));
    }
    if (fresh > 0) {
      added(owner, fresh);
    }
    return all;
  }

  private Optional<Acceptance> tooMany(String owner, long more, AcceptLimits limits)
      throws SQLException {
    long waiting = queued();
    if (waiting + more > limits.queued()) {
      return Optional.of(new Acceptance.QueueFull(waiting, limits.queued()));
    }
    long live = live(owner);
    return live + more > limits.live()
        ? Optional.of(new Acceptance.QuotaReached(live, limits.live()))
        : Optional.empty();
  }

  private long queued() throws SQLException {
    if (queued.isEmpty()) {
      queued = OptionalLong.of(count("state = 'QUEUED'"));
    }
    return queued.getAsLong();
  }

  private long live(String owner) throws SQLException {
    Long live = liveByOwner.get(owner);
    if (live == null) {
      live =
          count(
              "owner = ? AND state IN ('QUEUED', 'STARTING', 'RUNNING', 'PAUSED', 'INTERRUPTED',"
                  + " 'CANCELLING')",
              owner);
      liveByOwner.put(owner, live);
    }
    return live;
  }

  private long count(String where, Object... values) throws SQLException {
    return Sql.number(connection, "SELECT SUM(jobs) FROM " + counts + " WHERE " + where, values);
  }

  /** Both were asked for before jobs were added. */
  private void added(String owner, long more) throws SQLException {
    queued = OptionalLong.of(queued() + more);
    liveByOwner.put(owner, live(owner) + more);
  }

  /** The job of a key, unless it is too old by then. */
  static Optional<JobId> keyed(Connection connection, String owner, String key, Instant now)
      throws SQLException {
    return key(connection, owner, key, now).map(Known::job);
  }

  private static Optional<Known> key(Connection connection, String owner, String key, Instant now)
      throws SQLException {
    return Sql.first(
        connection,
        "SELECT request, job_id FROM idempotency_key"
            + " WHERE owner = ? AND key_text = ? AND created_at > ?",
        row -> new Known(row.getString(1), new JobId(row.getString(2))),
        owner,
        key,
        Nanos.of(now.minus(KEYS_ARE_KEPT)));
  }

  private Optional<Acceptance> known(NewJob job) throws SQLException {
    if (job.key().isPresent()) {
      NewJob.Key key = job.key().get();
      Optional<Known> known = key(connection, job.owner(), key.text(), job.createdAt());
      if (known.isPresent()) {
        JobId first = known.get().job();
        return Optional.of(
            known.get().request().equals(key.request())
                ? new Acceptance.Replayed(WholeJobs.there(connection, first))
                : new Acceptance.KeyReused(first));
      }
    }
    if (job.externalId().isEmpty()) {
      return Optional.empty();
    }
    return Sql.first(
        connection,
        "SELECT id FROM job WHERE owner = ? AND external_id = ?",
        row -> new Acceptance.ExternalIdTaken(new JobId(row.getString(1))),
        job.owner(),
        job.externalId());
  }

  private Job insert(NewJob job) throws SQLException {
    JobSummary summary = summary(job);
    JobRows.insert(connection, new JobRow(summary, Optional.empty(), Optional.empty(), 1, 0));
    String id = job.id().text();
    Sql.update(
        connection,
        "INSERT INTO specification (job_id, sent, resolved) VALUES (?, ?, ?)",
        id,
        Seal.close(job.specification(), id),
        Seal.close(job.resolved(), id));
    Waits.begin(connection, job.id(), job.resolved(), job.createdAt());
    if (job.key().isPresent()) {
      remember(job, job.key().get());
    }
    return new Job(
        summary,
        job.specification(),
        job.resolved(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  private void remember(NewJob job, NewJob.Key key) throws SQLException {
    Sql.update(
        connection,
        "DELETE FROM idempotency_key WHERE created_at <= ?",
        Nanos.of(job.createdAt().minus(KEYS_ARE_KEPT)));
    Sql.update(
        connection,
        "INSERT INTO idempotency_key (owner, key_text, request, job_id, created_at) VALUES ("
            + Sql.places(5)
            + ")",
        job.owner(),
        key.text(),
        key.request(),
        job.id().text(),
        Nanos.of(job.createdAt()));
  }

  private static JobSummary summary(NewJob job) {
    return new JobSummary(
        job.id(),
        job.owner(),
        job.externalId(),
        job.description(),
        job.network(),
        job.level(),
        JobState.QUEUED,
        new StatusReason(
            StatusReason.Code.WAITING_FOR_WORKER, "It waits for a worker.", job.createdAt()),
        Optional.empty(),
        Map.of(),
        0,
        job.estimatedBytes(),
        job.createdAt(),
        Optional.empty(),
        Optional.empty(),
        job.resumedFrom(),
        job.trace(),
        1);
  }
}
