package dev.halfcell.rest.http;

import dev.halfcell.rest.job.Trace;
import dev.halfcell.rest.service.FieldError;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Problems as RFC 9457 has them, never larger than 4 KB. */
final class ProblemJson {
  static final String MEDIA_TYPE = "application/problem+json";

  private static final int MOST_BYTES = 4000;
  private static final int LONGEST_TEXT = 400;
  private static final JsonMapper JSON = new JsonMapper();

  private ProblemJson() {}

  static byte[] of(Refusal refusal, String path, Trace trace) {
    ObjectNode problem = JSON.createObjectNode();
    problem.put("type", refusal.kind().type());
    problem.put("title", refusal.kind().title());
    problem.put("status", refusal.kind().status());
    problem.put("detail", cut(refusal.detail(), 2 * LONGEST_TEXT));
    problem.put("instance", cut(path, LONGEST_TEXT / 2));
    problem.put("traceId", trace.id());
    if (!refusal.errors().isEmpty()) {
      ArrayNode errors = problem.putArray("errors");
      for (FieldError error : refusal.errors()) {
        errors.add(error(error));
        if (bytes(problem).length > MOST_BYTES) {
          errors.remove(errors.size() - 1);
          break;
        }
      }
    }
    return bytes(problem);
  }

  private static ObjectNode error(FieldError error) {
    ObjectNode node = JSON.createObjectNode();
    node.put("pointer", cut(error.pointer(), LONGEST_TEXT / 2));
    node.put("message", cut(error.message(), LONGEST_TEXT));
    error.allowed().ifPresent(allowed -> node.put("allowed", cut(allowed, LONGEST_TEXT)));
    return node;
  }

  private static byte[] bytes(ObjectNode problem) {
    return problem.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** What somebody sent may be of any length, and may hold what a terminal obeys. */
  private static String cut(String text, int longest) {
    StringBuilder plain = new StringBuilder();
    text.codePoints()
        .limit(longest)
        .forEach(
            c -> {
              boolean odd =
                  Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE;
              plain.appendCodePoint(odd ? '?' : c);
            });
    return text.codePointCount(0, text.length()) > longest ? plain + "..." : plain.toString();
  }
}
