package dev.halfcell.zoo.job;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Specifications from a seed: most keys right, some of them wrong. */
final class RandomJson {
  private static final int WRONG_OF = 80;
  private static final int RARE = 12;
  private static final int KEYS = 2;

  /** A prime, so that all keys have their turn and neighbours not together. */
  private static final int STRIDE = 101;

  private final Random random;

  RandomJson(long seed) {
    random = new Random(seed);
  }

  String specification() {
    return "{\"network\": [%s], \"dataset\": {\"config\": {\"shape\": [%d, 28, 28]}}, %s, %s}"
        .formatted(cells(), channels(), precision(), training());
  }

  /**
   * The same; of three, one with keys of the schema over it and one with a cell more, all in turn.
   */
  static String specification(int turn) {
    RandomJson drawn = new RandomJson(turn);
    ObjectNode job = (ObjectNode) new JsonMapper().readTree(drawn.specification());
    SchemaDraws draws = new SchemaDraws(drawn.random, 12);
    switch (turn % 3) {
      case 1 -> putKeys(job, turn / 3, draws);
      case 2 -> ((ArrayNode) job.get("network")).insert(1, cell(turn / 3, draws));
      default -> {}
    }
    return job.toString();
  }

  private static void putKeys(ObjectNode job, int turn, SchemaDraws draws) {
    List<Map.Entry<String, JsonNode>> keys = List.copyOf(SchemaDraws.keys().entrySet());
    // Objects before what is in them, so that nothing is put over what was drawn.
    IntStream.range(turn * KEYS, (turn + 1) * KEYS)
        .mapToObj(i -> keys.get(i * STRIDE % keys.size()))
        .sorted(Map.Entry.comparingByKey())
        .forEach(key -> Drawn.put(job, key.getKey(), draws.value(key.getValue())));
  }

  /** Each cell with all its keys, and the next time with those alone that it has to have. */
  private static JsonNode cell(int turn, SchemaDraws draws) {
    List<JsonNode> cells = List.copyOf(SchemaDraws.cells().values());
    JsonNode kind = cells.get(turn % cells.size());
    ObjectNode cell = (ObjectNode) draws.value(kind);
    if (turn / cells.size() % 2 == 0) {
      kind.get("properties").forEachEntry((key, value) -> cell.set(key, draws.value(value)));
    }
    return cell;
  }

  private int channels() {
    return random.nextInt(RARE) == 0 ? 3 : 1;
  }

  private String cells() {
    int width = 2 + random.nextInt(3);
    int middle = random.nextInt(4);
    String between =
        IntStream.range(0, middle)
            .mapToObj(_ -> middle(width) + ", ")
            .collect(Collectors.joining());
    return """
        {"cell": "Conv2d", "inChannels": 1, "outChannels": %s, "kernelSize": %s, "stride": %s, \
        "padding": %s}, %s{"cell": "%s"}, \
        {"cell": "Dense", "inChannels": %d, "outChannels": %s}"""
        .formatted(
            number(width),
            number(3 + random.nextInt(3)),
            number(2),
            rarely("\"none\"", "1", "\"same\"", "\"valid\""),
            between,
            one("GlobalAvgPool2d", "GlobalMaxPool2d", "GlobalAvgPool2d", "Flatten"),
            width,
            number(10));
  }

  private String middle(int width) {
    return one(
        "{\"cell\": \"ReLU\"}",
        "{\"cell\": \"GELU\", \"approximate\": true}",
        "{\"cell\": \"BatchNorm2d\", \"numFeatures\": " + number(width) + "}",
        "{\"cell\": \"MaxPool2d\", \"kernelSize\": " + number(2) + "}",
        "{\"cell\": \"Dropout\", \"p\": 0.1}",
        "{\"cell\": \"PReLU\", \"channel\": " + number(width) + "}",
        "{\"cell\": \"Residual\", \"branch\": [{\"cell\": \"Conv2d\", \"inChannels\": "
            + width
            + ", \"outChannels\": "
            + number(width)
            + ", \"kernelSize\": 3, \"padding\": 1}]}");
  }

  private String precision() {
    return "\"precision\": {\"level\": %s, \"half\": %s, \"lossScale\": %s, \"options\": {%s}}"
        .formatted(
            rarely("2", "\"O0\"", "\"O1\"", "\"O2\"", "\"O3\"", "\"auto\""),
            rarely("\"fp32\"", "\"fp16\"", "\"bf16\""),
            one(
                "\"none\"",
                "\"apex\"",
                "\"logmax\"",
                number(128),
                "{\"rule\": \"dynamic\", \"window\": " + number(5) + "}"),
            one(
                "",
                "\"keepBatchNormFp32\": true",
                "\"castOverflow\": \"saturate\"",
                "\"stochasticRounding\": true",
                "\"halfParameters\": true",
                "\"halfParameters\": true, \"acceptSwamping\": true",
                "\"deny\": [\"/0\"]",
                "\"overflowPolicy\": \"retry:2\""));
  }

  private String training() {
    return "\"training\": {\"steps\": %s, \"batchSize\": %s, \"optimizer\": {\"name\": \"%s\", \"learningRate\": %s}, \"clip\": %s}"
        .formatted(
            number(1),
            number(4),
            one("momentum", "sgd", "adam", "adamw", "lamb", "lars", "rmsprop", "adagrad"),
            rarely(one("-1", "1e60"), "0.01", "1e-3", "0.1"),
            one("1", "{\"value\": 0.5}", "1", "2.5", number(3)));
  }

  /** Mostly this number; else one that is too large, of another kind, or nearly right. */
  private String number(int right) {
    if (random.nextInt(WRONG_OF) > 0) {
      return String.valueOf(right);
    }
    return one(
        "0",
        "-1",
        "1e9",
        "2147483648",
        "\"5\"",
        "null",
        "true",
        "[]",
        "1048576",
        String.valueOf(right + 1));
  }

  private String rarely(String wrong, String... right) {
    return random.nextInt(RARE) == 0 ? wrong : one(right);
  }

  private String one(String... of) {
    return List.of(of).get(random.nextInt(of.length));
  }
}
