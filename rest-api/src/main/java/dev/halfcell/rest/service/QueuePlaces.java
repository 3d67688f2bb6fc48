package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Where waiting jobs stand in the queue, 1 for the next one. A place changes with every move of
 * another job, so it is no part of a job; and all of the queue has to be read to know one, which
 * takes longer than a page of jobs where 10,000 wait. So what was read is told for a second,
 * whoever asks. Who asks in the second after that is told it too, and has it read anew behind his
 * answer; who comes later waits for it. Threads may share it.
 */
public final class QueuePlaces {
  private static final Duration FRESH = Duration.ofSeconds(1);
  private static final Duration USABLE = Duration.ofSeconds(2);

  private final JobStore store;
  private final InstantSource clock;
  private final Executor behind;
  private final AtomicBoolean reading = new AtomicBoolean();
  private volatile Order order = new Order(Instant.MIN, Map.of());

  private record Order(Instant readAt, Map<JobId, Integer> places) {
    boolean olderThan(Duration age, Instant now) {
      return !readAt.isAfter(now.minus(age));
    }
  }

  /**
   * Those of a store's queue.
   *
   * @param behind reads behind answers
   */
  public QueuePlaces(JobStore store, InstantSource clock, Executor behind) {
    this.store = store;
    this.clock = clock;
    this.behind = behind;
  }

  /** The place of a job; none where it does not wait, or came since the queue was read. */
  public OptionalInt of(JobSummary job) {
    if (job.state() != JobState.QUEUED) {
      return OptionalInt.empty();
    }
    Integer place = order().places().get(job.id());
    return place == null ? OptionalInt.empty() : OptionalInt.of(place);
  }

  private Order order() {
    Order told = order;
    Instant now = clock.instant();
    if (told.olderThan(USABLE, now)) {
      return read();
    }
    if (told.olderThan(FRESH, now) && reading.compareAndSet(false, true)) {
      behind.execute(this::readBehind);
    }
    return told;
  }

  private void readBehind() {
    try {
      var _ = read();
    } catch (StoreException _) {
      // Nobody waits for this one. Who asks in a second reads it himself, and is told why.
    } finally {
      reading.set(false);
    }
  }

  /** Of those who wait for it one reads. */
  private synchronized Order read() {
    Instant now = clock.instant();
    if (order.olderThan(FRESH, now)) {
      List<JobId> queue = store.queue();
      Map<JobId, Integer> places = HashMap.newHashMap(queue.size());
      queue.forEach(id -> places.put(id, places.size() + 1));
      order = new Order(now, places);
    }
    return order;
  }
}
