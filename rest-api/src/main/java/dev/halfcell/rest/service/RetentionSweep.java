package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.store.JobPage;
import dev.halfcell.rest.store.JobQuery;
import dev.halfcell.rest.store.JobStore;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Deletes jobs that are over and were kept for long enough, one after the other with pauses, so
 * that who asks for other jobs meanwhile does not wait. Several servers of a store may do so at
 * once.
 */
public final class RetentionSweep implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.halfcell.rest.retention");
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration EVERY = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final int PAGE = 200;

  private static final Set<JobState> OVER =
      Arrays.stream(JobState.values()).filter(JobState::terminal).collect(Collectors.toSet());

  private final Retention retention;
  private final JobStore store;
  private final JobDeletion deletion;
  private final Clock clock;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread sweeping =
      Thread.ofPlatform().daemon().name("halfcell-retention").unstarted(this::sweepAgainAndAgain);

  /**
   * What was deleted.
   *
   * @param jobs how many
   * @param bytes of their files
   */
  record Swept(int jobs, long bytes) {}

  RetentionSweep(Retention retention, JobStore store, JobFolders folders, Clock clock) {
    this.retention = retention;
    this.store = store;
    this.deletion = new JobDeletion(store, folders);
    this.clock = clock;
  }

  /** Begins to look, now and then. */
  public static RetentionSweep start(
      Retention retention, JobStore store, JobFolders folders, Clock clock) {
    RetentionSweep sweep = new RetentionSweep(retention, store, folders, clock);
    sweep.sweeping.start();
    return sweep;
  }

  private void sweepAgainAndAgain() {
    Duration wait = FIRST;
    while (!closedAfter(wait)) {
      wait = EVERY;
      try {
        deletion.finish();
        if (retention.deletes()) {
          tell(sweep());
        }
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "old jobs could not be deleted; once more in a while", e);
      }
    }
  }

  private void tell(Swept swept) {
    if (swept.jobs() > 0) {
      LOG.log(
          Level.INFO,
          "deleted %d jobs that were over, with %d bytes of files; kept are %s and %s"
              .formatted(
                  swept.jobs(),
                  swept.bytes(),
                  retention.age().map(age -> "those of " + age.toDays() + " days").orElse("all"),
                  retention.jobs().map(most -> "the newest " + most).orElse("any number")));
    }
  }

  /** Whether this is closed by then. */
  private boolean closedAfter(Duration wait) {
    try {
      return closed.await(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true; // nobody interrupts this thread but to end it
    }
  }

  /** Goes through all jobs that are over, the oldest first. */
  Swept sweep() {
    Swept swept = new Swept(0, 0);
    Optional<String> next = Optional.empty();
    do {
      JobPage page =
          store.list(
              new JobQuery(
                  Optional.empty(),
                  OVER,
                  Map.of(),
                  Optional.empty(),
                  Optional.empty(),
                  JobQuery.Order.OLDEST,
                  next,
                  PAGE));
      // Behind the page: what another server deletes from now on is missed when its turn comes.
      long tooMany = tooMany();
      for (JobSummary job : page.jobs()) {
        boolean old = old(job);
        if (!job.description().pinned() && (old || tooMany > 0)) {
          OptionalLong bytes = deletion.delete(job.id(), store::deleteUnpinned);
          tooMany = bytes.isPresent() ? tooMany - 1 : tooMany();
          swept = more(swept, bytes);
          if (closedAfter(PAUSE)) {
            return swept;
          }
        }
      }
      next = tooMany > 0 || mayBeOld(page) ? page.next() : Optional.empty();
    } while (next.isPresent());
    return swept;
  }

  private static Swept more(Swept swept, OptionalLong bytes) {
    return bytes.isPresent()
        ? new Swept(swept.jobs() + 1, swept.bytes() + bytes.getAsLong())
        : swept;
  }

  private boolean old(JobSummary job) {
    return retention.expiresAt(job).filter(at -> !at.isAfter(clock.instant())).isPresent();
  }

  /** Whether a job behind a page may be old: none ended before it was sent. */
  private boolean mayBeOld(JobPage page) {
    Instant now = clock.instant();
    return !page.jobs().isEmpty()
        && retention
            .age()
            .filter(age -> !page.jobs().getLast().createdAt().plus(age).isAfter(now))
            .isPresent();
  }

  private long tooMany() {
    Map<String, Long> counts = store.counts();
    long over = OVER.stream().mapToLong(state -> counts.getOrDefault(state.name(), 0L)).sum();
    return retention.jobs().map(most -> over - most).orElse(0L);
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      sweeping.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
