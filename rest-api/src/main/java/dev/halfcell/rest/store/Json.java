package dev.halfcell.rest.store;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Our records as JSON texts. */
final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  static String write(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /** A whole number of an object; none where it has no such key. */
  static Optional<Long> number(String object, String key) throws Damage {
    return Optional.of(read(object, JsonNode.class).path(key))
        .filter(JsonNode::isIntegralNumber)
        .map(JsonNode::longValue);
  }

  static <T> T read(String text, Class<T> type) throws Damage {
    try {
      return MAPPER.readValue(text, type);
    } catch (JacksonException e) {
      Damage damage = new Damage("no " + type.getSimpleName() + " can be read");
      damage.initCause(e);
      throw damage;
    }
  }
}
