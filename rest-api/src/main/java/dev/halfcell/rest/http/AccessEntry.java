package dev.halfcell.rest.http;

import dev.halfcell.rest.job.Trace;
import dev.halfcell.rest.tracing.Part;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request that was answered, as it is logged: nothing that its sender could choose freely, for
 * what was sent may hold secrets, or what a terminal obeys.
 *
 * @param at when its head was there
 * @param method one of HTTP's, or {@code OTHER}
 * @param route the path as the document has it; {@code none} where there is none
 * @param status what was answered
 * @param bytes how many of the body were written
 * @param milliseconds until the answer was written
 * @param whole whether it was, to its end
 * @param owner who asked, where that is known
 * @param job which job it was about
 * @param trace which part of which trace it is
 */
record AccessEntry(
    Instant at,
    String method,
    String route,
    int status,
    long bytes,
    double milliseconds,
    boolean whole,
    Optional<String> owner,
    Optional<String> job,
    Trace trace) {
  /** As one line of JSON. */
  String line() {
    ObjectNode node = Json.object();
    node.put("time", at.toString());
    node.put("method", method);
    node.put("route", route);
    node.put("status", status);
    node.put("bytes", bytes);
    node.put("milliseconds", Math.round(milliseconds * 1000) / 1000.0);
    if (!whole) {
      node.put("brokenOff", true);
    }
    Json.put(node, "owner", owner);
    Json.put(node, "job", job);
    node.put("traceId", trace.id());
    return node.toString();
  }

  /** As a part of its trace, named by OpenTelemetry's conventions for HTTP. */
  Part part() {
    Map<String, String> facts = new HashMap<>();
    facts.put("http.request.method", method);
    facts.put("http.route", route);
    job.ifPresent(id -> facts.put("halfcell.job.id", id));
    return new Part(
        trace,
        true,
        method + " " + route,
        at,
        at.plusNanos(Math.round(milliseconds * 1e6)),
        facts,
        Map.of("http.response.status_code", (long) status),
        !whole
            ? Optional.of("broken off")
            : Optional.of("status " + status).filter(_ -> status >= 500));
  }
}
