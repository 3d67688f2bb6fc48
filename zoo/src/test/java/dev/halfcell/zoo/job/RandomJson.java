package dev.halfcell.zoo.job;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Specifications from a seed: most keys right, some of them wrong. */
final class RandomJson {
  private static final int WRONG_OF = 40;

  private final Random random;

  RandomJson(long seed) {
    random = new Random(seed);
  }

  String specification() {
    return "{\"network\": [%s], \"dataset\": {\"config\": {\"shape\": [%d, 28, 28]}}, %s, %s}"
        .formatted(cells(), channels(), precision(), training());
  }

  private int channels() {
    return random.nextInt(8) == 0 ? 3 : 1;
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
            one("1", "\"same\"", "\"valid\"", "\"none\""),
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
            one("\"O0\"", "\"O1\"", "\"O2\"", "\"O3\"", "\"auto\"", "\"O2\"", "2"),
            one("\"fp16\"", "\"bf16\"", "\"fp16\"", "\"fp32\""),
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
            one("0.01", "1e-3", "0.01", "1e-3", "0.1", "0.1", "-1", "1e60"),
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

  private String one(String... of) {
    return List.of(of).get(random.nextInt(of.length));
  }
}
