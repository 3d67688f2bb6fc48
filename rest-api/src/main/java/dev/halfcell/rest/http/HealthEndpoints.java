package dev.halfcell.rest.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Whether it lives, whether it is ready, and what is counted. */
final class HealthEndpoints {
  private final HttpApi.Services services;
  private final Figures figures;

  HealthEndpoints(HttpApi.Services services, Figures figures) {
    this.services = services;
    this.figures = figures;
  }

  Map<String, Endpoint> all() {
    return Map.of(
        "health", _ -> status("up"), "readiness", _ -> ready(), "prometheus", _ -> figures());
  }

  private static Answer status(String word) {
    ObjectNode node = Json.object();
    node.put("status", word);
    return Json.answer(200, node);
  }

  /** It is, where jobs are taken, their files are there and the store answers. */
  private Answer ready() {
    if (!services.submissions().open()) {
      throw Refusal.of(ProblemKind.UNAVAILABLE, "No jobs are taken now.");
    }
    if (!services.ready().getAsBoolean()) {
      throw Refusal.of(ProblemKind.UNAVAILABLE, "The files of jobs are out of reach.");
    }
    services.store().counts();
    return status("ready");
  }

  private Answer figures() {
    return Answer.of(
        200,
        "text/plain; version=0.0.4; charset=utf-8",
        figures.text().getBytes(StandardCharsets.UTF_8));
  }
}
