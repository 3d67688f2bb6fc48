package dev.halfcell.rest.http;

import java.time.Instant;
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
 * @param trace the id of its trace
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
    String trace) {
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
    node.put("traceId", trace);
    return node.toString();
  }
}
