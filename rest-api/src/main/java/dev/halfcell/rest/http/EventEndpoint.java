package dev.halfcell.rest.http;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.service.EventHub;
import dev.halfcell.rest.service.JobService;
import dev.halfcell.rest.store.JobStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What happens to a job: as a stream, or page by page. */
final class EventEndpoint implements Endpoint {
  private final JobService jobs;
  private final JobStore store;
  private final EventHub hub;
  private final HttpServerSettings settings;
  private final StreamLimit streams;
  private final EventTexts texts = new EventTexts();

  EventEndpoint(
      JobService jobs,
      JobStore store,
      EventHub hub,
      HttpServerSettings settings,
      StreamLimit streams) {
    this.jobs = jobs;
    this.store = store;
    this.hub = hub;
    this.settings = settings;
    this.streams = streams;
  }

  @Override
  public Answer answer(Request request) {
    Job job = jobs.find(request.caller(), request.path("id"));
    long after = request.number("Last-Event-ID").or(() -> request.number("after")).orElseThrow();
    if (!request.mediaType().equals("text/event-stream")) {
      return page(request, job, after);
    }
    return new Answer.Flow(
        Map.of("Content-Type", "text/event-stream; charset=utf-8"),
        new EventStream(store, hub, job.id(), after, settings.deadlines(), texts, streams.take()));
  }

  private Answer page(Request request, Job job, long after) {
    int limit = request.count("limit");
    long end = System.nanoTime() + Duration.ofSeconds(request.count("wait")).toNanos();
    EventBox box = new EventBox();
    try (StreamLimit.Waiting _ = streams.wakeBy(box::wake);
        EventHub.Subscription _ = hub.follow(job.id(), box)) {
      while (true) {
        JobState state = jobs.find(request.caller(), job.id().text()).state();
        List<JobEvent> events = store.events(job.id(), after, limit);
        long left = end - System.nanoTime();
        if (!events.isEmpty() || state.terminal() || left <= 0 || streams.ending()) {
          return page(job, state, events, after, limit);
        }
        box.poll(Duration.ofNanos(Math.min(left, settings.deadlines().look().toNanos())));
      }
    }
  }

  private Answer page(Job job, JobState state, List<JobEvent> events, long after, int limit) {
    ObjectNode node = Json.object();
    ArrayNode all = node.putArray("events");
    events.forEach(event -> all.add(JobJson.of(event)));
    node.put("after", events.isEmpty() ? after : events.getLast().number());
    node.put("oldest", store.oldestEvent(job.id()));
    node.put("state", state.name());
    node.put("ended", state.terminal() && events.size() < limit);
    return Json.answer(200, node);
  }
}
