package dev.halfcell.rest.http;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Makes JSON for answers. */
final class Json {
  static final String MEDIA_TYPE = "application/json";

  private static final JsonMapper MAPPER = new JsonMapper();

  private Json() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** What one of ours has written. */
  static JsonNode read(String text) {
    return MAPPER.readTree(text);
  }

  static byte[] bytes(JsonNode node) {
    return MAPPER.writeValueAsBytes(node);
  }

  static Answer.Whole answer(int status, JsonNode node) {
    return Answer.of(status, MEDIA_TYPE, bytes(node));
  }

  static Answer.Whole text(String text) {
    return Answer.of(200, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  static void put(ObjectNode to, String name, Optional<?> value) {
    value.ifPresent(there -> to.set(name, MAPPER.valueToTree(there)));
  }

  /** A number, or null where it is not finite. */
  static JsonNode number(ObjectNode near, double value) {
    return Double.isFinite(value) ? near.numberNode(value) : near.nullNode();
  }
}
