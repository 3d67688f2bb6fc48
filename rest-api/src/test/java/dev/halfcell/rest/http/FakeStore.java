package dev.halfcell.rest.http;

import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.Exit;
import dev.halfcell.rest.job.Failure;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobProgress;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.Move;
import dev.halfcell.rest.job.Origin;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.store.AcceptLimits;
import dev.halfcell.rest.store.Acceptance;
import dev.halfcell.rest.store.Applied;
import dev.halfcell.rest.store.DescriptionChange;
import dev.halfcell.rest.store.JobPage;
import dev.halfcell.rest.store.JobQuery;
import dev.halfcell.rest.store.NewJob;
import dev.halfcell.rest.store.StoreException;
import dev.halfcell.rest.store.Transition;
import dev.halfcell.tensor.Problem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A store in memory, as much of one as HTTP needs. */
final class FakeStore extends StoreWithoutWorkers {
  private final Map<JobId, Kept> jobs = new LinkedHashMap<>();
  private final Map<String, Sent> keys = new HashMap<>();
  private long oldest = 1;
  private boolean broken;
  private int finds;

  private record Sent(JobId job, String request) {}

  private Runnable whenListed = () -> {};

  private static final class Kept {
    private Job job;
    private final List<JobEvent> events = new ArrayList<>();

    Kept(Job job) {
      this.job = job;
    }
  }

  /** From now on nothing can be read or written, or all can again. */
  synchronized void broken(boolean now) {
    broken = now;
  }

  /** Forgets the events before this number. */
  synchronized void dropBefore(long number) {
    oldest = number;
    jobs.values().forEach(kept -> kept.events.removeIf(event -> event.number() < number));
  }

  private void require() {
    if (broken) {
      throw new StoreException(new Problem("store", "/secret/path", "a disk", "none", ""));
    }
  }

  @Override
  public synchronized List<Acceptance> acceptAll(List<NewJob> all, AcceptLimits limits) {
    require();
    long queued = counts().getOrDefault("QUEUED", 0L);
    long fresh = all.stream().filter(of -> known(of).isEmpty()).count();
    if (fresh > 0 && queued + fresh > limits.queued()) {
      return List.of(new Acceptance.QueueFull(queued, limits.queued()));
    }
    return all.stream().map(of -> accept(of, limits)).toList();
  }

  private Optional<Acceptance> known(NewJob of) {
    if (of.key().isPresent()) {
      Sent sent = keys.get(of.owner() + " " + of.key().get().text());
      if (sent != null) {
        return Optional.of(
            sent.request().equals(of.key().get().request())
                ? new Acceptance.Replayed(kept(sent.job()).job)
                : new Acceptance.KeyReused(sent.job()));
      }
    }
    return jobs.values().stream()
        .filter(
            kept ->
                of.externalId().isPresent()
                    && kept.job.summary().owner().equals(of.owner())
                    && kept.job.summary().externalId().equals(of.externalId()))
        .findFirst()
        .map(kept -> new Acceptance.ExternalIdTaken(kept.job.id()));
  }

  @Override
  public synchronized Acceptance accept(NewJob of, AcceptLimits limits) {
    require();
    Optional<Acceptance> known = known(of);
    if (known.isPresent()) {
      return known.get();
    }
    long queued = counts().getOrDefault("QUEUED", 0L);
    if (queued >= limits.queued()) {
      return new Acceptance.QueueFull(queued, limits.queued());
    }
    Job job = NewJobs.accepted(of);
    Kept kept = new Kept(job);
    jobs.put(of.id(), kept);
    of.key()
        .ifPresent(
            key -> keys.put(of.owner() + " " + key.text(), new Sent(of.id(), key.request())));
    event(kept, EventKind.STATE, "{\"to\":\"QUEUED\"}");
    return new Acceptance.Accepted(job);
  }

  private Kept kept(JobId id) {
    Kept kept = jobs.get(id);
    if (kept == null) {
      throw new AssertionError(id);
    }
    return kept;
  }

  @Override
  public synchronized Optional<Job> find(JobId id) {
    require();
    finds++;
    return Optional.ofNullable(jobs.get(id)).map(kept -> kept.job);
  }

  @Override
  public synchronized Optional<Job> known(JobId id) {
    return broken ? Optional.empty() : Optional.ofNullable(jobs.get(id)).map(kept -> kept.job);
  }

  /** How often a job was looked for. */
  synchronized int finds() {
    return finds;
  }

  @Override
  public synchronized Optional<JobId> keyed(String owner, String key) {
    return Optional.ofNullable(keys.get(owner + " " + key)).map(Sent::job);
  }

  @Override
  public synchronized JobPage list(JobQuery query) {
    require();
    List<JobSummary> all =
        new ArrayList<>(
            jobs.values().stream()
                .map(kept -> kept.job.summary())
                .filter(job -> matches(job, query))
                .toList());
    if (query.order() == JobQuery.Order.NEWEST) {
      Collections.reverse(all);
    }
    int from = query.after().map(Integer::parseInt).orElse(0);
    int to = Math.min(all.size(), from + query.limit());
    whenListed.run();
    return new JobPage(
        all.subList(from, to),
        to < all.size() ? Optional.of(Integer.toString(to)) : Optional.empty());
  }

  private static boolean matches(JobSummary job, JobQuery query) {
    return query.owner().filter(owner -> !owner.equals(job.owner())).isEmpty()
        && (query.states().isEmpty() || query.states().contains(job.state()))
        && job.description().labels().entrySet().containsAll(query.labels().entrySet())
        && query.network().filter(network -> !network.equals(job.network())).isEmpty()
        && query.level().filter(level -> !level.equals(job.level())).isEmpty();
  }

  @Override
  public synchronized Map<String, Long> counts() {
    require();
    return jobs.values().stream()
        .collect(Collectors.groupingBy(kept -> kept.job.state().name(), Collectors.counting()));
  }

  @Override
  public synchronized Optional<Job> describe(JobId id, DescriptionChange change) {
    Optional<Kept> there = Optional.ofNullable(jobs.get(id));
    there.ifPresent(
        kept -> {
          Description old = kept.job.summary().description();
          Description description =
              new Description(
                  change.name().or(old::name).filter(name -> !name.isEmpty()),
                  change.labels().orElse(old.labels()),
                  change.notes().or(old::notes).filter(notes -> !notes.isEmpty()),
                  change.priority().orElse(old.priority()),
                  change.pinned().orElse(old.pinned()));
          JobSummary s = kept.job.summary();
          kept.job = with(kept.job, description, s.state(), s.statusReason(), Optional.empty());
        });
    return there.map(kept -> kept.job);
  }

  private static Job with(
      Job job,
      Description description,
      JobState state,
      StatusReason reason,
      Optional<Failure> failure) {
    JobSummary s = job.summary();
    JobSummary summary =
        new JobSummary(
            s.id(),
            s.owner(),
            s.externalId(),
            description,
            s.network(),
            s.level(),
            state,
            reason,
            s.progress(),
            s.metrics(),
            s.attempt(),
            s.estimatedBytes(),
            s.createdAt(),
            s.startedAt(),
            state.terminal() ? Optional.of(Instant.now()) : Optional.empty(),
            s.resumedFrom(),
            s.trace(),
            s.revision() + 1);
    Optional<Exit> exit = job.exit();
    return new Job(
        summary,
        job.specification(),
        job.resolved(),
        job.attempts(),
        exit,
        failure.or(job::failure));
  }

  @Override
  public synchronized Applied apply(JobId id, Transition change) {
    Kept kept = jobs.get(id);
    if (kept == null) {
      return new Applied.Missing();
    }
    return switch (kept.job.state().next(change.action())) {
      case Move.Refused _ -> new Applied.Refused(kept.job);
      case Move.Stays _ -> {
        if (!kept.job.state().terminal()) {
          kept.job =
              with(
                  kept.job,
                  kept.job.summary().description(),
                  kept.job.state(),
                  change.reason(),
                  Optional.empty());
        }
        yield new Applied.Stayed(kept.job);
      }
      case Move.To(JobState to) -> {
        JobState from = kept.job.state();
        kept.job =
            with(kept.job, kept.job.summary().description(), to, change.reason(), change.failure());
        yield new Applied.Moved(
            kept.job,
            event(kept, EventKind.STATE, "{\"from\":\"%s\",\"to\":\"%s\"}".formatted(from, to)));
      }
    };
  }

  /** An event of a job that a test makes up. */
  synchronized JobEvent add(JobId id, EventKind kind, String data) {
    return event(kept(id), kind, data);
  }

  /** What the only worker of a job has done. */
  synchronized void tried(JobId id, Attempt attempt, JobProgress progress) {
    Kept kept = kept(id);
    kept.job = NewJobs.tried(kept.job, attempt, progress);
  }

  private JobEvent event(Kept kept, EventKind kind, String data) {
    long number = kept.events.isEmpty() ? oldest : kept.events.getLast().number() + 1;
    JobEvent event = new JobEvent(kept.job.id(), number, 0, Instant.now(), kind, data);
    kept.events.add(event);
    return event;
  }

  @Override
  public synchronized List<JobEvent> events(JobId id, long after, int limit) {
    require();
    return kept(id).events.stream().filter(event -> event.number() > after).limit(limit).toList();
  }

  @Override
  public synchronized long oldestEvent(JobId id) {
    return oldest;
  }

  @Override
  public synchronized boolean delete(JobId id) {
    Kept kept = jobs.get(id);
    boolean over = kept != null && kept.job.state().terminal() && !wanted(id);
    if (over) {
      jobs.remove(id);
    }
    return over;
  }

  /** Does something each time that a page has been read. */
  void whenListed(Runnable done) {
    whenListed = done;
  }

  /** As is done with each after 24 hours. */
  synchronized void forgetKeys() {
    keys.clear();
  }

  @Override
  public synchronized Optional<Job> successor(Origin from) {
    return jobs.values().stream()
        .map(kept -> kept.job)
        .filter(job -> job.summary().resumedFrom().equals(Optional.of(from)))
        .filter(job -> job.state() != JobState.FAILED && job.state() != JobState.CANCELLED)
        .max(Comparator.comparing(job -> job.summary().createdAt()));
  }

  private boolean wanted(JobId id) {
    return jobs.values().stream()
        .map(kept -> kept.job.summary())
        .filter(job -> !job.state().terminal())
        .anyMatch(job -> job.resumedFrom().filter(from -> from.job().equals(id)).isPresent());
  }

  @Override
  public synchronized boolean deleteUnpinned(JobId id) {
    Kept kept = jobs.get(id);
    return kept != null && !kept.job.summary().description().pinned() && delete(id);
  }

  @Override
  public synchronized List<JobId> queue() {
    return jobs.values().stream()
        .map(kept -> kept.job.summary())
        .filter(job -> job.state() == JobState.QUEUED)
        .sorted(
            Comparator.<JobSummary>comparingInt(job -> -job.description().priority())
                .thenComparing(JobSummary::createdAt))
        .map(JobSummary::id)
        .toList();
  }

  @Override
  public boolean shared() {
    return false;
  }

  @Override
  public void close() {}
}
