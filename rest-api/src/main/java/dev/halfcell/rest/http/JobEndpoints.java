package dev.halfcell.rest.http;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.service.Admission;
import dev.halfcell.rest.service.JobService;
import dev.halfcell.rest.service.Preview;
import dev.halfcell.rest.service.QueuePlaces;
import dev.halfcell.rest.service.Retention;
import dev.halfcell.rest.service.Submission;
import dev.halfcell.rest.service.Submissions;
import dev.halfcell.rest.service.Submitted;
import dev.halfcell.rest.service.Successors;
import dev.halfcell.rest.service.TimeEstimate;
import dev.halfcell.rest.store.DescriptionChange;
import dev.halfcell.rest.store.JobPage;
import dev.halfcell.rest.store.JobQuery;
import dev.halfcell.zoo.run.MemoryEstimate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is done with jobs, but for what they have written. */
final class JobEndpoints {
  private final JobService jobs;
  private final Submissions submissions;
  private final Successors successors;
  private final Preview preview;
  private final TimeEstimate time;
  private final Retention retention;
  private final QueuePlaces places;
  private final JobAnswers answers;

  JobEndpoints(
      JobService jobs,
      Submissions submissions,
      Successors successors,
      Preview preview,
      TimeEstimate time,
      Retention retention,
      QueuePlaces places) {
    this.jobs = jobs;
    this.submissions = submissions;
    this.successors = successors;
    this.preview = preview;
    this.time = time;
    this.retention = retention;
    this.answers = new JobAnswers(retention, places::of);
    this.places = places;
  }

  Map<String, Endpoint> all() {
    Map<String, Endpoint> all = new LinkedHashMap<>();
    all.put("submitJob", this::submit);
    all.put("listJobs", this::list);
    all.put("getJob", new JobReading(jobs, answers));
    all.put("describeJob", this::describe);
    all.put("deleteJob", this::delete);
    all.put("cancelJob", this::cancel);
    all.put("pauseJob", this::pause);
    all.put("resumeJob", this::resume);
    all.put("cloneJob", this::cloned);
    return all;
  }

  private static Submission submission(Request request) {
    return new Submission(
        request.caller().owner(),
        request.key(),
        request.textOf("externalId"),
        Optional.of(request.trace().id()));
  }

  private Answer submit(Request request) {
    return request.flag("dryRun")
        ? dryRun(request)
        : accepted(submissions.submit(request.text(), submission(request), Optional.empty()));
  }

  private Answer accepted(Submitted submitted) {
    Answer answer =
        answers.of(202, submitted.job()).with("Location", "/v1/jobs/" + submitted.job().id());
    return submitted.replayed() ? answer.with("Idempotency-Replayed", "true") : answer;
  }

  private Answer dryRun(Request request) {
    Admission.Admitted admitted = submissions.admit(submissions.specification(request.text(), ""));
    Preview.Length length = preview.length(admitted.resolved());
    ObjectNode node = Json.object();
    node.set("resolved", Json.read(admitted.resolved().json()));
    node.put("network", admitted.network());
    node.put("level", admitted.level());
    node.put("epochs", length.epochs());
    node.put("stepsPerEpoch", length.stepsPerEpoch());
    node.put("totalSteps", length.totalSteps());
    node.put("batchSize", length.batchSize());
    length.flops().ifPresent(flops -> node.put("flopsPerStep", flops));
    ObjectNode memory = node.putObject("memory");
    MemoryEstimate estimate = admitted.memory();
    held(memory, estimate.bytes(), submissions.mostBytes(), estimate.parts());
    memory.put("text", estimate.text());
    estimate
        .device()
        .ifPresent(
            on -> {
              ObjectNode device = memory.putObject("device").put("name", on.name());
              held(device, on.bytes(), on.limit(), on.parts());
            });
    time.of(request.caller(), admitted.resolved(), length.totalSteps())
        .ifPresent(expected -> node.set("time", told(expected)));
    node.set("plan", Json.read(preview.planJson(admitted.resolved(), admitted.memory())));
    return Json.answer(200, node);
  }

  private static ObjectNode told(TimeEstimate.Expected time) {
    return Json.object()
        .put("seconds", time.seconds())
        .put("secondsPerStep", time.secondsPerStep())
        .put("measuredBy", time.measuredBy().text());
  }

  private static void held(ObjectNode to, long bytes, long limit, List<MemoryEstimate.Part> by) {
    to.put("bytes", bytes);
    to.put("limitBytes", limit);
    ObjectNode parts = to.putObject("parts");
    by.forEach(part -> parts.put(part.name(), part.bytes()));
  }

  private Answer list(Request request) {
    Map<String, String> labels = new LinkedHashMap<>();
    request
        .texts("label")
        .forEach(
            label -> {
              int equals = label.indexOf('=');
              labels.put(label.substring(0, equals), label.substring(equals + 1));
            });
    JobPage page =
        jobs.list(
            new JobQuery(
                request.caller().onlyOwner(),
                request.texts("state").stream().map(JobState::valueOf).collect(Collectors.toSet()),
                labels,
                request.textOf("network"),
                request.textOf("level"),
                JobQuery.Order.valueOf(
                    request.textOf("sort").orElseThrow().toUpperCase(Locale.ROOT)),
                request.textOf("next"),
                request.count("limit")));
    boolean full = request.textOf("view").equals(Optional.of("full"));
    ObjectNode node = Json.object();
    ArrayNode all = node.putArray("jobs");
    page.jobs().stream()
        .flatMap(job -> (full ? whole(request, job) : Optional.of(summary(job))).stream())
        .forEach(all::add);
    Json.put(node, "next", page.next());
    return Json.answer(200, node);
  }

  private ObjectNode summary(JobSummary job) {
    return JobJson.of(job, retention, places.of(job));
  }

  /** None where it was deleted since it was listed. */
  private Optional<ObjectNode> whole(Request request, JobSummary job) {
    return jobs.seen(request.caller(), job.id())
        .map(found -> summary(job).set("specification", Json.read(found.specification())));
  }

  private Answer describe(Request request) {
    JsonNode said = request.body().orElseThrow();
    DescriptionChange change = DescriptionReading.change(said);
    return answers.of(200, jobs.describe(request.caller(), request.path("id"), change));
  }

  private Answer delete(Request request) {
    jobs.delete(request.caller(), request.path("id"));
    return Answer.empty(204);
  }

  private Answer cancel(Request request) {
    Job asked = jobs.cancel(request.caller(), request.path("id"));
    return waited(request, asked, JobState::terminal);
  }

  private Answer pause(Request request) {
    Job asked = jobs.pause(request.caller(), request.path("id"));
    return waited(request, asked, state -> state == JobState.PAUSED || state.terminal());
  }

  private Answer waited(Request request, Job asked, Predicate<JobState> wanted) {
    Duration most = Duration.ofSeconds(request.count("wait"));
    Job now = wanted.test(asked.state()) || most.isZero() ? asked : jobs.await(asked, wanted, most);
    return answers.of(wanted.test(now.state()) ? 200 : 202, now);
  }

  private Answer resume(Request request) {
    Optional<String> checkpoint =
        request.body().map(body -> body.path("checkpoint")).flatMap(JsonNode::asStringOpt);
    return accepted(
        successors.resume(request.caller(), request.path("id"), checkpoint, submission(request)));
  }

  private Answer cloned(Request request) {
    Map<String, Object> changes = new LinkedHashMap<>();
    request
        .body()
        .ifPresent(
            body ->
                body.path("changes")
                    .properties()
                    .forEach(
                        change -> changes.put(change.getKey(), PlainValues.of(change.getValue()))));
    return accepted(
        successors.cloned(request.caller(), request.path("id"), changes, submission(request)));
  }
}
