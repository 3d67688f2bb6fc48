package dev.halfcell.rest.http;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.service.ArtifactKind;
import dev.halfcell.rest.service.Caller;
import dev.halfcell.rest.service.Comparisons;
import dev.halfcell.rest.service.JobFolders;
import dev.halfcell.rest.service.JobService;
import dev.halfcell.rest.service.RunResults;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Comparisons of levels. */
final class ComparisonEndpoints {
  private final Comparisons comparisons;
  private final JobService jobs;
  private final JobFolders folders;
  private final SubmitRate submits;

  /**
   * Those of a server.
   *
   * @param submits took one job of each who comes to submit
   */
  ComparisonEndpoints(
      Comparisons comparisons, JobService jobs, JobFolders folders, SubmitRate submits) {
    this.comparisons = comparisons;
    this.jobs = jobs;
    this.folders = folders;
    this.submits = submits;
  }

  Map<String, Endpoint> all() {
    return Map.of("submitComparison", this::submit, "getComparison", this::get);
  }

  /** A job of a comparison, with what came out of it so far. */
  record Row(JobSummary job, long seed, RunResults results) {}

  private Answer submit(Request request) {
    JsonNode body = request.body().orElseThrow();
    List<String> levels = new ArrayList<>();
    body.get("levels").values().forEach(level -> levels.add(level.stringValue()));
    List<Long> seeds = new ArrayList<>();
    body.path("seeds").values().forEach(seed -> seeds.add(seed.longValue()));
    submits.takeOthers(request.caller().owner(), levels.size() * Math.max(1, seeds.size()));
    Comparisons.Made made =
        comparisons.submit(
            request.caller(),
            body.get("specification").toString(),
            levels,
            seeds,
            request.key(),
            Optional.of(request.trace().id()));
    Answer answer =
        Json.answer(202, json(made.id(), rows(request.caller(), made.id())))
            .with("Location", "/v1/comparisons/" + made.id());
    return made.replayed() ? answer.with("Idempotency-Replayed", "true") : answer;
  }

  private Answer get(Request request) {
    String id = request.path("comparison");
    List<Row> rows = rows(request.caller(), id);
    return request.mediaType().equals("text/plain")
        ? Json.text(ComparisonText.of(rows, byLevel(rows)))
        : Json.answer(200, json(id, rows));
  }

  private List<Row> rows(Caller caller, String id) {
    return comparisons.of(caller, id).stream().map(job -> row(caller, job)).toList();
  }

  private Row row(Caller caller, JobSummary job) {
    Job whole = jobs.find(caller, job.id().text());
    long seed =
        JobSpecification.ofJson(whole.resolved())
            .training()
            .seed()
            .map(Number::longValue)
            .orElse(0L);
    RunResults results =
        job.state() == JobState.SUCCEEDED
            ? RunResults.read(folders.run(job.id()).resolve(ArtifactKind.SUMMARY.file()))
            : RunResults.none();
    return new Row(whole.summary(), seed, results);
  }

  private static ObjectNode json(String id, List<Row> rows) {
    ObjectNode node = Json.object();
    node.put("id", id);
    node.put("ended", rows.stream().allMatch(row -> row.job().state().terminal()));
    ArrayNode all = node.putArray("rows");
    for (Row row : rows) {
      ObjectNode each = all.addObject();
      each.put("job", row.job().id().text());
      each.put("level", row.job().level());
      each.put("seed", row.seed());
      each.put("state", row.job().state().name());
      ObjectNode metrics = each.putObject("metrics");
      row.job()
          .metrics()
          .forEach(
              (name, value) -> {
                if (Double.isFinite(value)) {
                  metrics.put(name, value);
                }
              });
      put(each, row.results());
    }
    ArrayNode levels = node.putArray("levels");
    byLevel(rows).forEach((level, those) -> level(levels.addObject(), level, those));
    return node;
  }

  private static Map<String, List<Row>> byLevel(List<Row> rows) {
    Map<String, List<Row>> levels = new LinkedHashMap<>();
    rows.forEach(row -> levels.computeIfAbsent(row.job().level(), _ -> new ArrayList<>()).add(row));
    return levels;
  }

  private static void level(ObjectNode to, String level, List<Row> rows) {
    to.put("level", level);
    to.put("jobs", rows.size());
    to.put(
        "succeeded",
        (int) rows.stream().filter(row -> row.job().state() == JobState.SUCCEEDED).count());
    put(to, mean(rows));
  }

  static RunResults mean(List<Row> rows) {
    return RunResults.mean(rows.stream().map(Row::results).toList());
  }

  private static void put(ObjectNode to, RunResults results) {
    if (!results.values().isEmpty()) {
      ObjectNode node = to.putObject("results");
      results.values().forEach(node::put);
    }
  }
}
