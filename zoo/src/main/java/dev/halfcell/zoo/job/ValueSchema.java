package dev.halfcell.zoo.job;

import dev.halfcell.zoo.host.ByteCount;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The schema of what {@link Values} reads: text, words, numbers and truths. */
final class ValueSchema {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Half of the least number above 0 in FP32: this and less becomes 0. */
  private static final double BECOMES_ZERO = 0x1p-150;

  /** Half a place above the largest number in FP32: this and more becomes infinite. */
  private static final double BECOMES_INFINITE = 0x1.ffffffp127;

  private ValueSchema() {}

  static ObjectNode of(Class<?> type, Bounds key) {
    ObjectNode schema = NODES.objectNode();
    if (key.bytes()) {
      return bytes(schema, key);
    }
    if (type == Boolean.class || type == boolean.class) {
      return schema.put("type", "boolean");
    }
    if (type == Integer.class || type == int.class) {
      return whole(schema, key, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
    if (type == Long.class || type == long.class) {
      return whole(schema, key, Long.MIN_VALUE, Long.MAX_VALUE);
    }
    if (type == Double.class || type == double.class) {
      return number(schema.put("type", "number"), key);
    }
    List<String> words = Values.words(type, key);
    if (words.isEmpty()) {
      return text(schema.put("type", "string"), key);
    }
    ArrayNode known = schema.putArray("enum");
    words.forEach(known::add);
    return schema;
  }

  private static ObjectNode whole(ObjectNode schema, Bounds key, long least, long most) {
    return schema
        .put("type", "integer")
        .put("minimum", Double.isInfinite(key.least()) ? least : (long) key.least())
        .put("maximum", Double.isInfinite(key.most()) ? most : (long) key.most());
  }

  /** A number, or a text with a unit. */
  private static ObjectNode bytes(ObjectNode schema, Bounds key) {
    ArrayNode forms = schema.putArray("anyOf");
    whole(forms.addObject(), key, Long.MIN_VALUE, Long.MAX_VALUE);
    forms.addObject().put("type", "string").put("pattern", "^" + ByteCount.PATTERN + "$");
    return schema;
  }

  private static ObjectNode number(ObjectNode schema, Bounds key) {
    if (Double.isFinite(key.least())) {
      schema.put("minimum", key.least());
    }
    if (Double.isFinite(key.most())) {
      schema.put("maximum", key.most());
    }
    return key.positive()
        ? schema.put("exclusiveMinimum", BECOMES_ZERO).put("exclusiveMaximum", BECOMES_INFINITE)
        : schema;
  }

  private static ObjectNode text(ObjectNode schema, Bounds key) {
    if (key.least() > 0) {
      schema.put("minLength", (long) key.least());
    }
    if (Double.isFinite(key.most())) {
      schema.put("maxLength", (long) key.most());
    }
    return schema;
  }
}
