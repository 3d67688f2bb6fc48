package dev.halfcell.rest.http;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Numbers such as {@code 1e308}, which are whole for a schema but beyond what 64 bits hold: its
 * validator fails where they were read as floating-point numbers, and compares them where they are
 * whole ones of any size.
 */
final class WholeNumbers {
  private static final double BEYOND = 0x1p63;

  private WholeNumbers() {}

  /** The same values, each of those numbers as a whole one. */
  static JsonNode widened(JsonNode node) {
    return switch (node) {
      case ObjectNode object -> {
        ObjectNode widened = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> each : object.properties()) {
          widened.set(each.getKey(), widened(each.getValue()));
        }
        yield widened;
      }
      case ArrayNode array -> {
        ArrayNode widened = JsonNodeFactory.instance.arrayNode(array.size());
        array.values().forEach(each -> widened.add(widened(each)));
        yield widened;
      }
      default ->
          node.isFloatingPointNumber() && Math.abs(node.doubleValue()) >= BEYOND
              ? JsonNodeFactory.instance.numberNode(node.decimalValue().toBigInteger())
              : node;
    };
  }
}
