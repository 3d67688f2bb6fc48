package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.Move;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.store.AcceptLimits;
import dev.halfcell.rest.store.Acceptance;
import dev.halfcell.rest.store.Applied;
import dev.halfcell.rest.store.Claim;
import dev.halfcell.rest.store.DescriptionChange;
import dev.halfcell.rest.store.Fence;
import dev.halfcell.rest.store.JobPage;
import dev.halfcell.rest.store.JobQuery;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.NewJob;
import dev.halfcell.rest.store.Report;
import dev.halfcell.rest.store.Transition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A store in memory, as much of one as workers need. */
final class MemoryStore implements JobStore {
  private final Map<JobId, Kept> jobs = new LinkedHashMap<>();

  /** A job with what is not seen of it. */
  private static final class Kept {
    private Job job;
    private final List<JobEvent> events = new ArrayList<>();
    private Optional<String> server = Optional.empty();
    private Instant lease = Instant.MAX;

    Kept(Job job) {
      this.job = job;
    }
  }

  @Override
  public synchronized Acceptance accept(NewJob of, AcceptLimits limits) {
    JobSummary summary =
        new JobSummary(
            of.id(),
            of.owner(),
            of.externalId(),
            of.description(),
            of.network(),
            of.level(),
            JobState.QUEUED,
            new StatusReason(Code.WAITING_FOR_WORKER, "", of.createdAt()),
            Optional.empty(),
            Map.of(),
            0,
            of.estimatedBytes(),
            of.createdAt(),
            Optional.empty(),
            Optional.empty(),
            of.resumedFrom(),
            1);
    Job job =
        new Job(
            summary,
            of.specification(),
            of.resolved(),
            List.of(),
            Optional.empty(),
            Optional.empty());
    jobs.put(of.id(), new Kept(job));
    return new Acceptance.Accepted(job);
  }

  @Override
  public synchronized Optional<Job> find(JobId id) {
    return Optional.ofNullable(jobs.get(id)).map(kept -> kept.job);
  }

  @Override
  public synchronized Applied apply(JobId id, Transition change) {
    Kept kept = jobs.get(id);
    if (kept == null) {
      return new Applied.Missing();
    }
    if (change.fence().isPresent() && !isAtHand(kept, change.fence().get())) {
      return new Applied.Fenced(kept.job);
    }
    return switch (kept.job.state().next(change.action())) {
      case Move.Refused _ -> new Applied.Refused(kept.job);
      case Move.Stays _ -> {
        if (change.action() == JobAction.ASK_PAUSE) {
          kept.job = moved(kept, kept.job.state(), change);
        }
        yield new Applied.Stayed(kept.job);
      }
      case Move.To(JobState to) -> {
        JobState from = kept.job.state();
        kept.job = moved(kept, to, change);
        yield new Applied.Moved(
            kept.job,
            event(
                kept,
                EventKind.STATE,
                "{\"from\":\"%s\",\"to\":\"%s\",\"code\":\"%s\"}"
                    .formatted(from, to, change.reason().code())));
      }
    };
  }

  private static boolean isAtHand(Kept kept, Fence fence) {
    return kept.job.summary().attempt() == fence.attempt()
        && !kept.job.attempts().isEmpty()
        && kept.job.attempts().getLast().server().equals(fence.server());
  }

  private static Job moved(Kept kept, JobState to, Transition change) {
    Job job = kept.job;
    List<Attempt> attempts = new ArrayList<>(job.attempts());
    if (job.state().held() && !to.held()) {
      Attempt last = attempts.removeLast();
      attempts.add(
          new Attempt(
              last.number(),
              last.server(),
              last.pid(),
              last.startedAt(),
              last.fromStep(),
              Optional.of(Instant.now()),
              Optional.of(change.reason().code()),
              change.exit()));
      kept.server = Optional.empty();
    }
    return new Job(
        summary(job.summary(), to, change.reason(), job.summary().attempt()),
        job.specification(),
        job.resolved(),
        attempts,
        change.exit().or(job::exit),
        to == JobState.FAILED ? change.failure() : job.failure());
  }

  private static JobSummary summary(
      JobSummary of, JobState state, StatusReason reason, int attempt) {
    return new JobSummary(
        of.id(),
        of.owner(),
        of.externalId(),
        of.description(),
        of.network(),
        of.level(),
        state,
        reason,
        of.progress(),
        of.metrics(),
        attempt,
        of.estimatedBytes(),
        of.createdAt(),
        of.startedAt(),
        state.terminal() ? Optional.of(Instant.now()) : Optional.empty(),
        of.resumedFrom(),
        of.revision() + 1);
  }

  private static JobEvent event(Kept kept, EventKind kind, String data) {
    JobEvent made =
        new JobEvent(
            kept.job.id(),
            kept.events.size() + 1,
            kept.job.summary().attempt(),
            Instant.now(),
            kind,
            data);
    kept.events.add(made);
    return made;
  }

  @Override
  public synchronized Optional<Job> claim(Claim claim) {
    Optional<Kept> next =
        jobs.values().stream().filter(kept -> kept.job.state() == JobState.QUEUED).findFirst();
    if (next.isEmpty() || next.get().job.summary().estimatedBytes() > claim.freeBytes()) {
      return Optional.empty();
    }
    Kept kept = next.get();
    Job job = kept.job;
    int number = job.summary().attempt() + 1;
    List<Attempt> attempts = new ArrayList<>(job.attempts());
    attempts.add(
        new Attempt(
            number,
            claim.server(),
            Optional.empty(),
            claim.now(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
    StatusReason reason = new StatusReason(Code.STARTING_WORKER, "", claim.now());
    kept.server = Optional.of(claim.server());
    kept.lease = claim.leaseUntil();
    kept.job =
        new Job(
            summary(job.summary(), JobState.STARTING, reason, number),
            job.specification(),
            job.resolved(),
            attempts,
            job.exit(),
            job.failure());
    event(kept, EventKind.STATE, "{\"to\":\"STARTING\"}");
    return Optional.of(kept.job);
  }

  @Override
  public synchronized void renew(String server, Instant leaseUntil) {
    jobs.values().stream()
        .filter(kept -> kept.server.equals(Optional.of(server)))
        .forEach(kept -> kept.lease = leaseUntil);
  }

  @Override
  public synchronized List<JobSummary> abandoned(String server, Instant now) {
    return jobs.values().stream()
        .filter(kept -> kept.job.state().held())
        .filter(kept -> kept.server.equals(Optional.of(server)) || kept.lease.isBefore(now))
        .map(kept -> kept.job.summary())
        .toList();
  }

  @Override
  public synchronized List<Job> waiting() {
    return jobs.values().stream()
        .map(kept -> kept.job)
        .filter(job -> !job.state().held() && !job.state().terminal())
        .toList();
  }

  @Override
  public synchronized Optional<List<JobEvent>> report(Fence fence, Report report) {
    Kept kept = jobs.get(fence.job());
    if (kept == null || !isAtHand(kept, fence) || !kept.job.state().held()) {
      return Optional.empty();
    }
    Job job = kept.job;
    Attempt last = job.attempts().getLast();
    List<Attempt> attempts = new ArrayList<>(job.attempts().subList(0, job.attempts().size() - 1));
    attempts.add(
        new Attempt(
            last.number(),
            last.server(),
            report.pid().or(last::pid),
            last.startedAt(),
            report.fromStep().or(last::fromStep),
            last.endedAt(),
            last.reason(),
            last.exit()));
    JobSummary of = job.summary();
    Map<String, Double> metrics = new LinkedHashMap<>(of.metrics());
    metrics.putAll(report.metrics());
    JobSummary summary =
        new JobSummary(
            of.id(),
            of.owner(),
            of.externalId(),
            of.description(),
            of.network(),
            of.level(),
            of.state(),
            of.statusReason(),
            report.progress().or(of::progress),
            metrics,
            of.attempt(),
            of.estimatedBytes(),
            of.createdAt(),
            of.startedAt(),
            of.endedAt(),
            of.resumedFrom(),
            of.revision() + 1);
    kept.job =
        new Job(summary, job.specification(), job.resolved(), attempts, job.exit(), job.failure());
    return Optional.of(
        report.events().stream().map(each -> event(kept, each.kind(), each.data())).toList());
  }

  @Override
  public synchronized List<JobEvent> events(JobId id, long after, int limit) {
    return Optional.ofNullable(jobs.get(id)).stream()
        .flatMap(kept -> kept.events.stream())
        .filter(event -> event.number() > after)
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized Map<String, Long> counts() {
    return jobs.values().stream()
        .collect(Collectors.groupingBy(kept -> kept.job.state().name(), Collectors.counting()));
  }

  @Override
  public Optional<JobId> keyed(String owner, String idempotencyKey) {
    throw new UnsupportedOperationException();
  }

  @Override
  public JobPage list(JobQuery query) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<Job> describe(JobId id, DescriptionChange change) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long oldestEvent(JobId id) {
    return 1;
  }

  @Override
  public synchronized boolean delete(JobId id) {
    return jobs.remove(id) != null;
  }

  @Override
  public void close() {}
}
