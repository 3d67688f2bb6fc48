package dev.halfcell.zoo.job;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Values that the schema of specifications allows, and nearly, for each key that it knows. */
final class SchemaDraws {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final JsonNode SCHEMA = new JsonMapper().readTree(JobSpecification.schema());
  private static final int DEEPEST = 3;

  private final Random random;
  private final long largest;

  /** Whole numbers are mostly small, and none is above {@code largest}. */
  SchemaDraws(Random random, long largest) {
    this.random = random;
    this.largest = largest;
  }

  /** Every key that there is, by its pointer; {@code x} is a name that is free. */
  static Map<String, JsonNode> keys() {
    Map<String, JsonNode> keys = new TreeMap<>();
    addKeys(SCHEMA, "", new HashSet<>(), keys);
    return keys;
  }

  private static void addKeys(
      JsonNode schema, String at, Set<String> within, Map<String, JsonNode> keys) {
    if (schema.has("$ref")) {
      String name = schema.get("$ref").stringValue();
      if (within.add(name)) {
        addKeys(resolved(schema), at, within, keys);
        within.remove(name);
      }
      return;
    }
    schema.path("anyOf").forEach(form -> addKeys(form, at, within, keys));
    schema
        .path("properties")
        .forEachEntry(
            (key, value) -> {
              keys.putIfAbsent(at + "/" + key, value);
              addKeys(value, at + "/" + key, within, keys);
            });
    if (schema.path("additionalProperties").isObject()) {
      keys.put(at + "/x", schema.get("additionalProperties"));
      addKeys(schema.get("additionalProperties"), at + "/x", within, keys);
    }
  }

  /** Cells by their names, each an object. */
  static Map<String, JsonNode> cells() {
    Map<String, JsonNode> cells = new TreeMap<>();
    for (JsonNode definition : SCHEMA.get("$defs")) {
      JsonNode cell = definition.at("/properties/cell/const");
      if (cell.isString()) {
        cells.put(cell.stringValue(), definition);
      }
    }
    return cells;
  }

  private static JsonNode resolved(JsonNode schema) {
    return schema.has("$ref") ? SCHEMA.at(schema.get("$ref").stringValue().substring(1)) : schema;
  }

  /** What the schema allows here. */
  JsonNode value(JsonNode schema) {
    return value(schema, 0);
  }

  private JsonNode value(JsonNode unresolved, int depth) {
    JsonNode schema = resolved(unresolved);
    if (schema.has("anyOf")) {
      return value(one(schema.get("anyOf")), depth);
    }
    if (schema.has("const")) {
      return schema.get("const");
    }
    if (schema.has("enum")) {
      return one(schema.get("enum"));
    }
    return switch (schema.path("type").asString("")) {
      case "object" -> object(schema, depth + 1);
      case "array" -> list(schema, depth + 1);
      case "integer" -> NODES.numberNode(whole(schema));
      case "number" -> NODES.numberNode(number(schema));
      case "boolean" -> NODES.booleanNode(random.nextBoolean());
      case "string" ->
          NODES.stringNode(
              schema.has("pattern")
                  ? one("1K", "512M", "6GiB")
                  : one("constant", "cosine", "/0", "ReLU", "retry:2", "é"));
      default -> NODES.stringNode("float32");
    };
  }

  private ObjectNode object(JsonNode schema, int depth) {
    ObjectNode object = NODES.objectNode();
    Set<String> required = new HashSet<>();
    schema.path("required").forEach(name -> required.add(name.stringValue()));
    schema
        .path("properties")
        .forEachEntry(
            (key, inner) -> {
              if (required.contains(key) || depth < DEEPEST && random.nextInt(4) == 0) {
                object.set(key, value(inner, depth));
              }
            });
    if (schema.path("additionalProperties").isObject()) {
      object.set(one("/0", "a", "~/"), value(schema.get("additionalProperties"), depth));
    }
    return object;
  }

  private ArrayNode list(JsonNode schema, int depth) {
    ArrayNode list = NODES.arrayNode();
    int least = schema.path("minItems").asInt(0);
    int most = depth < DEEPEST ? Math.min(2, schema.path("maxItems").asInt(2)) : least;
    int count = least + random.nextInt(most - least + 1);
    for (int i = 0; i < count; i++) {
      list.add(value(schema.get("items"), depth));
    }
    return list;
  }

  private long whole(JsonNode schema) {
    long least = schema.get("minimum").longValue();
    long most = Math.min(largest, schema.get("maximum").longValue());
    long small = random.nextLong(1, 5);
    return Math.clamp(
        switch (random.nextInt(8)) {
          case 0 -> Math.max(least, -largest);
          case 1 -> most;
          case 2 -> schema.path("default").asLong(small);
          default -> small;
        },
        least,
        most);
  }

  private double number(JsonNode schema) {
    double least = schema.path("minimum").asDouble(-2);
    double drawn = List.of(0.5, 0.9, 1e-3, 2.0, 1024.0).get(random.nextInt(5));
    return random.nextInt(8) == 0 && !schema.has("exclusiveMinimum")
        ? least
        : Math.min(drawn, schema.path("maximum").asDouble(1024));
  }

  /** What may be one step outside of what is allowed, or of another kind. */
  JsonNode odd(JsonNode unresolved) {
    JsonNode schema = resolved(unresolved);
    List<JsonNode> odd = new ArrayList<>();
    odd.addAll(List.of(NODES.nullNode(), NODES.booleanNode(true), NODES.numberNode(1.5)));
    odd.addAll(List.of(NODES.numberNode(0), NODES.numberNode(-1), NODES.numberNode(1 << 30)));
    odd.addAll(List.of(NODES.stringNode(""), NODES.stringNode("5"), NODES.stringNode("o2")));
    odd.addAll(List.of(NODES.numberNode(1e15 + 0.5), NODES.numberNode(1e-60), NODES.arrayNode()));
    odd.addAll(List.of(NODES.objectNode(), NODES.objectNode().put("kez", 1)));
    odd.add(NODES.arrayNode().add(1).add(2).add(3).add(4).add(5).add(6).add(7).add(8).add(9));
    if (schema.path("anyOf").findValue("pattern") != null) {
      for (String text : List.of("6", "0G", "6g", "6Gib", "8388608T")) {
        odd.add(NODES.stringNode(text));
      }
    }
    if (schema.has("maxLength")) {
      odd.add(NODES.stringNode("x".repeat(schema.get("maxLength").intValue() + 1)));
    }
    for (String bound : List.of("minimum", "maximum")) {
      if (schema.has(bound)) {
        odd.add(beside(schema.get(bound), -1));
        odd.add(beside(schema.get(bound), 1));
      }
    }
    return odd.get(random.nextInt(odd.size()));
  }

  private static JsonNode beside(JsonNode bound, int by) {
    return bound.isIntegralNumber()
        ? NODES.numberNode(bound.bigIntegerValue().add(BigInteger.valueOf(by)))
        : NODES.numberNode(by < 0 ? Math.nextDown(bound.doubleValue()) : bound.doubleValue() + by);
  }

  private JsonNode one(JsonNode of) {
    return of.get(random.nextInt(of.size()));
  }

  private String one(String... of) {
    return of[random.nextInt(of.length)];
  }
}
