package dev.halfcell.rest.fuzz;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Values by chance: such as schemas allow, and odd ones. One thread. */
final class Draws {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int DEEPEST = 4;

  /** What people call things, and what others hide in names. */
  private static final List<String> TEXTS =
      List.of(
          "a",
          "first run",
          "\u00dcbung \u2116 3",
          "\u6df7\u5408\u7cbe\u5ea6",
          "\ud83d\ude80\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67",
          "e\u0301\u0323 and \u1e69\u0323",
          "\u202eright to left",
          "zero\u200bwidth\ufeff",
          "<img src=x onerror=alert(1)>",
          "${jndi:ldap://127.0.0.1:1/a}",
          "{{7*7}} #{7*7} %s%n",
          "'; DROP TABLE job; --",
          "../../etc/passwd",
          "null",
          "NaN",
          "0",
          "\uffff\ufdd0",
          "\ud800\udc00",
          "\\u0000 \\\" /");

  private static final List<String> CONTROLS =
      List.of("", " ", "\u0000", "a\r\nb: c", "\u001b[31mred", "\u0085", "\u2028", "\t");

  private final Api api;
  private final Random random;

  Draws(Api api, Random random) {
    this.api = api;
    this.random = random;
  }

  <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  boolean chance(int in) {
    return random.nextInt(in) == 0;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  String text() {
    return one(TEXTS);
  }

  /** What the schema allows. */
  JsonNode value(JsonNode schema) {
    return value(schema, 0);
  }

  private JsonNode value(JsonNode unresolved, int depth) {
    JsonNode schema = api.resolved(unresolved);
    if (schema.has("anyOf")) {
      List<JsonNode> forms = List.copyOf(schema.get("anyOf").values());
      return value(depth < DEEPEST ? one(forms) : forms.getLast(), depth);
    }
    if (schema.has("const")) {
      return schema.get("const");
    }
    if (schema.has("enum")) {
      return one(List.copyOf(schema.get("enum").values()));
    }
    JsonNode type = schema.path("type");
    return switch (type.isArray() ? type.get(0).stringValue() : type.asString("")) {
      case "object" -> object(schema, depth + 1);
      case "array" -> list(schema, depth + 1);
      case "integer" -> NODES.numberNode(whole(schema));
      case "number" -> NODES.numberNode(one(List.of(0.0, 0.5, 0.9, 1e-3, 2.0, 1024.0)));
      case "boolean" -> NODES.booleanNode(random.nextBoolean());
      case "string" -> NODES.stringNode(string(schema));
      default -> NODES.numberNode(1);
    };
  }

  private String string(JsonNode schema) {
    String pattern = schema.path("pattern").asString("");
    if (pattern.equals("^[!-~]+$")) {
      return one(
          List.of("k", "!~", "a/b?c=d&e", "x".repeat(128), Long.toHexString(random.nextLong())));
    }
    if (pattern.startsWith("^[^=]+=")) {
      return one(List.of("a=b", "a=", "comparison=x", "\u00fc=b=c"));
    }
    if (!pattern.isEmpty()) {
      return one(List.of("1K", "512M", "6GiB"));
    }
    return text();
  }

  private BigInteger whole(JsonNode schema) {
    BigInteger least = schema.path("minimum").bigIntegerValue(BigInteger.valueOf(Long.MIN_VALUE));
    BigInteger most = schema.path("maximum").bigIntegerValue(BigInteger.valueOf(Long.MAX_VALUE));
    BigInteger drawn =
        switch (random.nextInt(8)) {
          case 0 -> least;
          case 1 -> most;
          default -> BigInteger.valueOf(random.nextInt(1, 6));
        };
    return drawn.max(least).min(most);
  }

  private ObjectNode object(JsonNode schema, int depth) {
    ObjectNode object = NODES.objectNode();
    Set<String> required = new HashSet<>();
    schema.path("required").forEach(name -> required.add(name.stringValue()));
    schema
        .path("properties")
        .forEachEntry(
            (key, inner) -> {
              if (required.contains(key) || depth < DEEPEST && chance(3)) {
                object.set(key, value(inner, depth));
              }
            });
    if (schema.path("additionalProperties").isObject() && chance(2)) {
      object.set("key", value(schema.get("additionalProperties"), depth));
    }
    return object;
  }

  private ArrayNode list(JsonNode schema, int depth) {
    ArrayNode list = NODES.arrayNode();
    int least = schema.path("minItems").asInt(0);
    int most = Math.max(least, Math.min(3, schema.path("maxItems").asInt(3)));
    int count = depth < DEEPEST ? least + random.nextInt(most - least + 1) : least;
    for (int i = 0; i < count; i++) {
      JsonNode entry = value(schema.path("items"), depth);
      if (!schema.path("uniqueItems").asBoolean(false)
          || !list.valueStream().anyMatch(entry::equals)) {
        list.add(entry);
      }
    }
    return list;
  }

  /** What hardly any schema allows: of another kind, at an edge or beyond it. */
  JsonNode odd() {
    return switch (random.nextInt(7)) {
      case 0 -> NODES.nullNode();
      case 1 -> NODES.booleanNode(random.nextBoolean());
      case 2 -> NODES.stringNode(one(CONTROLS));
      case 3 ->
          NODES.stringNode(
              one(
                  List.of(
                      "5", "true", "x".repeat(5_000), "O4", "o2", "file:///etc/passwd", "\u0663")));
      case 4 -> NODES.numberNode(one(List.of(0.5, -1.5, 1e308, -1e-320, -0.0)));
      case 5 -> NODES.numberNode(one(wholes()));
      default ->
          one(
              List.of(
                  NODES.arrayNode(),
                  NODES.objectNode(),
                  NODES.arrayNode().add(5),
                  NODES.objectNode().put("a", 1),
                  deep(30)));
    };
  }

  private static List<BigInteger> wholes() {
    return List.of(
        BigInteger.ZERO,
        BigInteger.ONE.negate(),
        BigInteger.ONE.shiftLeft(31),
        BigInteger.ONE.shiftLeft(31).negate().subtract(BigInteger.ONE),
        BigInteger.ONE.shiftLeft(53).add(BigInteger.ONE),
        BigInteger.ONE.shiftLeft(63),
        BigInteger.ONE.shiftLeft(64),
        BigInteger.TEN.pow(60));
  }

  private static JsonNode deep(int levels) {
    JsonNode node = NODES.arrayNode();
    for (int i = 1; i < levels; i++) {
      node = NODES.arrayNode().add(node);
    }
    return node;
  }

  /** The same with something odd somewhere. */
  JsonNode spoiled(JsonNode value) {
    if (value.isObject() && !value.isEmpty() && !chance(4)) {
      ObjectNode object = (ObjectNode) value.deepCopy();
      String key = one(List.copyOf(object.propertyNames()));
      if (chance(5)) {
        object.remove(key);
      } else {
        object.set(key, spoiled(object.get(key)));
      }
      return object;
    }
    if (value.isArray() && !value.isEmpty() && !chance(3)) {
      ArrayNode array = (ArrayNode) value.deepCopy();
      int at = random.nextInt(array.size());
      array.set(at, spoiled(array.get(at)));
      return array;
    }
    return odd();
  }
}
