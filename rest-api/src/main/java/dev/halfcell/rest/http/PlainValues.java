package dev.halfcell.rest.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** JSON as texts, numbers, truths, lists and maps. */
final class PlainValues {
  private PlainValues() {}

  /** Null says that nothing is said: an empty map. */
  static Object of(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> {
        Map<String, Object> map = new LinkedHashMap<>();
        node.properties().forEach(each -> map.put(each.getKey(), of(each.getValue())));
        yield map;
      }
      case ARRAY -> {
        List<Object> list = new ArrayList<>();
        node.values().forEach(each -> list.add(of(each)));
        yield list;
      }
      case NUMBER ->
          node.isIntegralNumber() && node.canConvertToInt()
              ? (Object) node.intValue()
              : node.canConvertToLong() && node.isIntegralNumber()
                  ? (Object) node.longValue()
                  : (Object) node.doubleValue();
      case BOOLEAN -> node.booleanValue();
      case STRING -> node.stringValue();
      default -> Map.of();
    };
  }
}
