package dev.halfcell.rest.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Bodies by chance. One thread. */
final class Bodies {
  private static final JsonMapper JSON = new JsonMapper();

  /** What nobody but the server may say of a job, and what other frameworks would take. */
  private static final List<String> ASSIGNED =
      List.of(
          "id",
          "state",
          "owner",
          "createdAt",
          "attempt",
          "failure",
          "__proto__",
          "constructor",
          "class",
          "@type",
          "$ref",
          "",
          "\u0000",
          "network.name",
          "Network");

  private final Api api;
  private final Draws draws;

  Bodies(Api api, Draws draws) {
    this.api = api;
    this.draws = draws;
  }

  /**
   * A specification that makes sense for certain; few of them differ in the memory that they need.
   */
  ObjectNode job() {
    ObjectNode job = JSON.createObjectNode();
    job.putObject("network").put("name", draws.one(List.of("lenet5", "mlp")));
    maybe(job, "/training/seed", 0, -1, Long.MAX_VALUE);
    maybe(job, "/precision/level", "O0", "O2");
    maybe(job, "/retries", 0, 100);
    maybe(job, "/priority", -100, 0, 100);
    maybe(job, "/timeout", 1, Integer.MAX_VALUE);
    maybe(job, "/name", draws.text());
    maybe(job, "/labels/key", draws.text(), "");
    return job;
  }

  private void maybe(ObjectNode job, String pointer, Object... values) {
    if (draws.chance(4)) {
      put(job, pointer, JSON.valueToTree(draws.one(List.of(values))));
    }
  }

  private static void put(ObjectNode tree, String pointer, JsonNode value) {
    String[] keys = pointer.substring(1).split("/", -1);
    ObjectNode at = tree;
    for (int i = 0; i < keys.length - 1; i++) {
      at = at.get(keys[i]) instanceof ObjectNode there ? there : at.putObject(keys[i]);
    }
    at.set(keys[keys.length - 1], value);
  }

  /** One that is right for certain. */
  JsonNode right(Api.Operation operation) {
    ObjectNode body = JSON.createObjectNode();
    switch (operation.id()) {
      case "submitJob" -> body = job();
      case "submitComparison" -> {
        body.set("specification", job());
        body.putArray("levels").add("O0").add("O2");
        if (draws.chance(2)) {
          body.putArray("seeds").add(draws.below(9));
        }
      }
      case "cloneJob" -> {
        if (draws.chance(2)) {
          body.putObject("changes").put("/training/seed", draws.below(9));
        }
      }
      case "describeJob" -> body = described();
      case "predict" -> {
        body.put("job", "0".repeat(32));
        body.putArray("inputs").addArray().addArray().add(draws.below(9));
      }
      default -> {
        // An empty object says nothing, which the others take.
      }
    }
    return body;
  }

  private ObjectNode described() {
    ObjectNode body = JSON.createObjectNode();
    if (draws.chance(2)) {
      body.put("name", draws.text());
    }
    if (draws.chance(2)) {
      body.putObject("labels").put(draws.text(), draws.text());
    }
    if (draws.chance(2)) {
      body.put("notes", draws.text() + "\n\t" + draws.text());
    }
    if (draws.chance(2)) {
      body.put("priority", draws.one(List.of(-100, 0, 100)));
    }
    return draws.chance(3) ? body.put("pinned", draws.chance(2)) : body;
  }

  /** One that its schema allows. */
  JsonNode allowed(JsonNode schema) {
    return draws.value(schema);
  }

  /** A key more than there may be, at its top. */
  JsonNode assigned(JsonNode right) {
    String key = draws.one(ASSIGNED);
    return ((ObjectNode) right.deepCopy()).set(key, draws.value(api.schema("JobState")));
  }

  /** A text that is no JSON document, or not one. */
  byte[] broken(JsonNode right) {
    String text = right.toString();
    List<UnaryOperator<String>> ways = new ArrayList<>();
    ways.add(all -> all.substring(0, draws.below(all.length())) + " ");
    ways.add(all -> all + all);
    ways.add(all -> all + "x");
    ways.add(all -> "\ufeff" + all);
    ways.add(all -> "/* c */" + all);
    ways.add(all -> all + "// c");
    ways.add(all -> all.replaceFirst("}$", ",}"));
    ways.add(all -> "{\"a\":1,\"a\":1}");
    ways.add(all -> "{'a':1}");
    ways.add(all -> "{\"a\":\"\t\"}");
    ways.add(all -> "{\"a\":\"\\x\"}");
    ways.add(all -> "{\"a\":\"\\udc00\"}");
    ways.add(all -> "{\"a\":" + draws.one(BAD_NUMBERS) + "}");
    ways.add(all -> "{\"a\":" + "[".repeat(33) + "]".repeat(33) + "}");
    ways.add(all -> "[".repeat(100_000));
    byte[] bytes = draws.one(ways).apply(text).getBytes(StandardCharsets.UTF_8);
    if (draws.chance(10)) {
      return text.getBytes(StandardCharsets.UTF_16);
    }
    if (draws.chance(10)) {
      return new byte[] {'{', '"', (byte) 0xc0, (byte) 0xaf, '"', ':', '1', '}'};
    }
    return bytes;
  }

  private static final List<String> BAD_NUMBERS =
      List.of(
          "01",
          "+1",
          ".5",
          "5.",
          "0x1",
          "1e",
          "1e999",
          "-1e999",
          "NaN",
          "-Infinity",
          "- 1",
          "--1",
          "1_000",
          "\u0661",
          "1" + "0".repeat(128));
}
