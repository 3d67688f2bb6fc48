package dev.halfcell.rest.http;

import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.EventHub;
import dev.halfcell.rest.store.JobStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * The events of a job as Server-Sent Events, without a gap: what lies in the store behind the last
 * number, then what the hub tells; where that leaves a number out, the store is read again. So it
 * is after a while even where the hub is still, for another server may run the job.
 */
final class EventStream implements Answer.Writer {
  private static final int PAGE = 50;

  /** No more, for a reader is dropped only after what it cannot take. */
  private static final int AT_ONCE = 8;

  private static final String COMMENT = ": still here\n\n";

  /** Not the job ends but this server: whoever reads comes again, to the next one. */
  private static final String CLOSING =
      "event: closing\nretry: 1000\ndata: {\"reason\":\"SERVER_ENDS\"}\n\n";

  private final JobStore store;
  private final EventHub hub;
  private final JobId job;
  private final HttpServerSettings.Deadlines deadlines;
  private final EventTexts texts;
  private final StreamLimit.Place place;
  private long last;
  private boolean moved = true;
  private long wroteAt = System.nanoTime();

  /**
   * One from behind a number on.
   *
   * @param texts of events that others follow too
   * @param place given back at the end
   */
  EventStream(
      JobStore store,
      EventHub hub,
      JobId job,
      long after,
      HttpServerSettings.Deadlines deadlines,
      EventTexts texts,
      StreamLimit.Place place) {
    this.store = store;
    this.hub = hub;
    this.job = job;
    this.last = after;
    this.deadlines = deadlines;
    this.texts = texts;
    this.place = place;
  }

  @Override
  public void write(Outlet to) {
    EventBox box = new EventBox();
    try (place;
        StreamLimit.Waiting _ = place.all().wakeBy(box::wake);
        EventHub.Subscription _ = hub.follow(job, box)) {
      if (!(begin(to) && follow(box, to))) {
        to.breakOff();
      }
    }
  }

  private boolean begin(Outlet to) {
    long oldest = store.oldestEvent(job);
    if (last >= oldest - 1) {
      return true;
    }
    last = oldest - 1;
    ObjectNode reset = Json.object();
    reset.put("oldest", oldest);
    return send(to, "event: reset\ndata: " + reset + "\n\n");
  }

  /** Whether it came to its end, and did not break off. */
  private boolean follow(EventBox box, Outlet to) {
    while (to.open()) {
      // Asked before the store is read: what happened until the server ends is told before it.
      boolean ending = place.all().ending();
      if (!readStore(to)) {
        return false;
      }
      if (moved) {
        moved = false;
        Optional<Boolean> ended = endedOrGone(to);
        if (ended.isPresent()) {
          return ended.get();
        }
      }
      if (ending) {
        return send(to, CLOSING);
      }
      if (!listen(box, to)) {
        return false;
      }
    }
    return false;
  }

  private boolean readStore(Outlet to) {
    List<JobEvent> events;
    do {
      events = store.events(job, last, PAGE);
      for (JobEvent event : events) {
        // There is time: what lies in the store is read as fast as its reader takes it.
        if (!to.write(EventTexts.of(told(List.of(event))))) {
          return false;
        }
      }
    } while (events.size() == PAGE);
    return true;
  }

  /** The state is read before the last events are, so that none of them can be missed. */
  private Optional<Boolean> endedOrGone(Outlet to) {
    Optional<Job> now = store.find(job);
    if (now.isEmpty()) {
      return Optional.of(false);
    }
    if (!now.get().state().terminal()) {
      return Optional.empty();
    }
    ObjectNode end = Json.object();
    end.put("state", now.get().state().name());
    return Optional.of(readStore(to) && send(to, "event: end\ndata: " + end + "\n\n"));
  }

  /** Sends what the hub tells until the store has to be read again; false where nobody reads. */
  private boolean listen(EventBox box, Outlet to) {
    long end = System.nanoTime() + deadlines.look().toNanos();
    while (System.nanoTime() < end && !place.all().ending()) {
      List<JobEvent> told = box.poll(Duration.ofNanos(end - System.nanoTime()));
      List<JobEvent> next = told.stream().filter(event -> event.number() > last).toList();
      if (!next.isEmpty() && next.getFirst().number() > last + 1) {
        return true;
      }
      if (!offered(next, to)) {
        return false;
      }
      if (next.stream().anyMatch(event -> event.kind() == EventKind.STATE)) {
        return true;
      }
      if (!told.isEmpty()) {
        // Numbers show what the hub leaves out: the store is looked into where the hub is still.
        end = System.nanoTime() + deadlines.look().toNanos();
      }
    }
    if (System.nanoTime() - wroteAt >= deadlines.heartbeat().toNanos()) {
      // A job ends by an event; only one that was deleted meanwhile has none to tell of it.
      moved = true;
      return send(to, COMMENT);
    }
    return to.open();
  }

  /** Some at a time: each writing costs as much as what is written, with hundreds of readers. */
  private boolean offered(List<JobEvent> events, Outlet to) {
    for (int from = 0; from < events.size(); from += AT_ONCE) {
      List<JobEvent> part = events.subList(from, Math.min(from + AT_ONCE, events.size()));
      if (!to.offer(texts.shared(told(part)))) {
        return false;
      }
    }
    return true;
  }

  /** Some that are about to be sent. */
  private List<JobEvent> told(List<JobEvent> events) {
    last = events.getLast().number();
    moved |= events.stream().anyMatch(event -> event.kind() == EventKind.STATE);
    wroteAt = System.nanoTime();
    return events;
  }

  private boolean send(Outlet to, String text) {
    wroteAt = System.nanoTime();
    return to.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
