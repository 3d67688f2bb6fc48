package dev.halfcell.cli;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Specifications of networks of all widths and depths, trained in all ways, for a few steps. */
public final class RandomNetwork {
  private final Random random;

  private RandomNetwork(long seed) {
    random = new Random(seed);
  }

  /** The one of a number. */
  public static String specification(long seed) {
    return new RandomNetwork(seed).specification();
  }

  private String specification() {
    return """
        {"network": [%s], "dataset": {"config": {"shape": [1, 28, 28]}},
         "precision": {"level": "%s", "half": "%s"},
         "training": {"steps": %d, "batchSize": %d, "optimizer": {"name": "%s", "learningRate": 0.001}%s}}
        """
        .formatted(
            random.nextBoolean() ? convolutions() : layers(),
            one("O0", "O1", "O2", "O3", "auto"),
            one("fp16", "bf16"),
            1 + random.nextInt(4),
            between(1, 256),
            one("sgd", "momentum", "adam", "adamw", "lamb", "rmsprop", "adagrad"),
            one("", "", ", \"ema\": 0.9", ", \"accumulation\": 2", ", \"clip\": 1"));
  }

  private String convolutions() {
    int[] widths = IntStream.generate(() -> between(4, 128)).limit(1 + random.nextInt(5)).toArray();
    return IntStream.range(0, widths.length)
            .mapToObj(i -> block(i == 0 ? 1 : widths[i - 1], widths[i], i))
            .collect(Collectors.joining(", "))
        + ", {\"cell\": \"GlobalAvgPool2d\"}, "
        + dense(widths[widths.length - 1], 10);
  }

  private String block(int in, int out, int place) {
    return Stream.of(
            """
            {"cell": "Conv2d", "inChannels": %d, "outChannels": %d, "kernelSize": %d, "padding": "same"}"""
                .formatted(in, out, random.nextBoolean() ? 3 : 1),
            one("", "{\"cell\": \"BatchNorm2d\", \"numFeatures\": " + out + "}"),
            one(
                "{\"cell\": \"ReLU\"}",
                "{\"cell\": \"GELU\"}",
                "{\"cell\": \"Dropout\", \"p\": 0.1}"),
            place < 3 ? one("", "{\"cell\": \"MaxPool2d\", \"kernelSize\": 2, \"stride\": 2}") : "")
        .filter(cell -> !cell.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private String layers() {
    int[] widths =
        IntStream.generate(() -> between(16, 4096)).limit(1 + random.nextInt(3)).toArray();
    return "{\"cell\": \"Flatten\"}, "
        + IntStream.range(0, widths.length)
            .mapToObj(
                i -> dense(i == 0 ? 784 : widths[i - 1], widths[i]) + ", {\"cell\": \"ReLU\"}")
            .collect(Collectors.joining(", "))
        + ", "
        + dense(widths[widths.length - 1], 10);
  }

  private static String dense(int in, int out) {
    return "{\"cell\": \"Dense\", \"inChannels\": %d, \"outChannels\": %d}".formatted(in, out);
  }

  /** Small numbers as often as large ones. */
  private int between(int least, int most) {
    double exponent = Math.log(least) + random.nextDouble() * (Math.log(most) - Math.log(least));
    return (int) Math.round(Math.exp(exponent));
  }

  private String one(String... of) {
    return of[random.nextInt(of.length)];
  }
}
