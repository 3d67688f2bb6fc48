package dev.halfcell.rest.http;

import dev.halfcell.rest.job.JobEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Between the thread that tells of events and the one that sends them. Where it is full, events are
 * dropped: their reader sees the gap and reads the store.
 */
final class EventBox implements Consumer<List<JobEvent>> {
  private static final int MOST = 64;

  private final BlockingQueue<List<JobEvent>> waiting = new ArrayBlockingQueue<>(MOST);

  @Override
  public void accept(List<JobEvent> events) {
    boolean _ = waiting.offer(events);
  }

  /** Has whoever waits look up: there is something else than events. */
  void wake() {
    boolean _ = waiting.offer(List.of());
  }

  /** The next events; none where the time is over, or where somebody was woken. */
  List<JobEvent> poll(Duration most) {
    try {
      List<JobEvent> events = waiting.poll(Math.max(1, most.toMillis()), TimeUnit.MILLISECONDS);
      return events == null ? List.of() : events;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Refusal.of(ProblemKind.UNAVAILABLE, "The server ends.");
    }
  }
}
