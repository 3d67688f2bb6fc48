package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.store.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Where waiting jobs stand in the queue, 1 for the next one. A place changes with every move of
 * another job, so it is no part of a job; and all of the queue has to be read to know one, so what
 * was read is told for a second, whoever asks. Threads may share it.
 */
public final class QueuePlaces {
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final JobStore store;
  private final InstantSource clock;
  private Order order = new Order(Instant.MIN, Map.of());

  private record Order(Instant readAt, Map<JobId, Integer> places) {}

  /** Those of a store's queue. */
  public QueuePlaces(JobStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /** The place of a job; none where it does not wait, or came in the last second. */
  public OptionalInt of(JobSummary job) {
    if (job.state() != JobState.QUEUED) {
      return OptionalInt.empty();
    }
    Integer place = order().places().get(job.id());
    return place == null ? OptionalInt.empty() : OptionalInt.of(place);
  }

  private synchronized Order order() {
    Instant now = clock.instant();
    if (!order.readAt().isAfter(now.minus(FRESH))) {
      order = read(now);
    }
    return order;
  }

  private Order read(Instant now) {
    List<JobId> queue = store.queue();
    Map<JobId, Integer> places = HashMap.newHashMap(queue.size());
    queue.forEach(id -> places.put(id, places.size() + 1));
    return new Order(now, places);
  }
}
