package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Tells who follows a job of its new events, as soon as they are in the store. It remembers none:
 * who comes later, or misses a number, reads the store. Threads may share it.
 */
public final class EventHub {
  private final Map<JobId, List<Consumer<List<JobEvent>>>> followers = new ConcurrentHashMap<>();

  /** A hub that nobody follows. */
  public EventHub() {}

  /** Told on the thread that publishes: a follower must hand over and return at once. */
  public Subscription follow(JobId job, Consumer<List<JobEvent>> follower) {
    followers.compute(
        job,
        (_, there) -> {
          List<Consumer<List<JobEvent>>> all = there == null ? new CopyOnWriteArrayList<>() : there;
          all.add(follower);
          return all;
        });
    return () ->
        followers.computeIfPresent(
            job,
            (_, all) -> {
              all.remove(follower);
              return all.isEmpty() ? null : all;
            });
  }

  /** Tells of events of one job, which lie in the store. */
  public void publish(JobId job, List<JobEvent> events) {
    List<Consumer<List<JobEvent>>> all = followers.get(job);
    if (all != null && !events.isEmpty()) {
      all.forEach(follower -> follower.accept(events));
    }
  }

  /** How many follow any job. */
  public int size() {
    return followers.values().stream().mapToInt(List::size).sum();
  }

  /** Ends the following; once or often. */
  @FunctionalInterface
  public interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
