package dev.halfcell.rest.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.StringJoiner;

/**
 * Specifications by chance in which something is far too large: numbers that no key takes, and
 * networks of which each number is allowed and all of them together are not. One thread.
 */
final class HugeSpecifications {
  private static final int PIXELS = 32 * 32;
  private static final int MOST = 1 << 20;
  private static final int MOST_CELLS = 256;
  private static final int CLASSES = 10;
  private static final int MOST_BATCH = 65_536;

  private static final List<String> NETWORKS = List.of("mlp", "lenet5", "resnet20", "resnet50");

  private static final List<String> NUMBERS =
      List.of(
          "2147483647",
          "2147483648",
          "4294967297",
          "1000000000",
          "1000000000000",
          "9223372036854775807",
          "9223372036854775808",
          "1e18",
          "9".repeat(64),
          "-9223372036854775808");

  private static final List<String> COUNTS =
      List.of(
          "\"training\":{\"batchSize\":%s}",
          "\"training\":{\"epochs\":%s}",
          "\"training\":{\"accumulation\":%s}",
          "\"training\":{\"batchSize\":%1$s,\"epochs\":%1$s,\"accumulation\":%1$s}",
          "\"checkpoint\":{\"keep\":%s}",
          "\"resources\":{\"threads\":%s}",
          "\"resources\":{\"loaderWorkers\":%s}",
          "\"priority\":%s",
          "\"retries\":%s");

  private final Random random;

  HugeSpecifications(long seed) {
    random = new Random(seed);
  }

  /** One with a number that no key takes. */
  String number() {
    return switch (random.nextInt(3)) {
      case 0 -> "{\"network\":{\"name\":\"" + one(NETWORKS) + "\"}," + count() + "}";
      case 1 -> cells(List.of("\"Flatten\"", dense(PIXELS, one(NUMBERS)), "\"ReLU\""), MOST_BATCH);
      default -> cells(List.of(convolution("1", one(NUMBERS), "3"), "\"Flatten\""), 1);
    };
  }

  /** A network that no machine here holds, or of which a tensor has too many elements. */
  String network() {
    int batch = MOST_BATCH / 4 + random.nextInt(MOST_BATCH / 4 * 3);
    return switch (random.nextInt(3)) {
      case 0 -> cells(wideLayers(), batch);
      case 1 -> cells(wideConvolutions(), batch);
      default -> cells(wideBlocks(), batch);
    };
  }

  /** One of the two kinds. */
  String either() {
    return random.nextBoolean() ? number() : network();
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String count() {
    return String.format(Locale.ROOT, one(COUNTS), one(NUMBERS));
  }

  /** Mostly a power of two, up to the most that a key takes. */
  private int wide() {
    return random.nextBoolean() ? MOST >> random.nextInt(6) : MOST / 32 + random.nextInt(MOST / 2);
  }

  private static String dense(long in, String out) {
    return "{\"cell\":\"Dense\",\"inChannels\":" + in + ",\"outChannels\":" + out + "}";
  }

  private static String convolution(String in, String out, String kernel) {
    return "{\"cell\":\"Conv2d\",\"inChannels\":"
        + in
        + ",\"outChannels\":"
        + out
        + ",\"kernelSize\":"
        + kernel
        + ",\"padding\":\"same\"}";
  }

  private String cells(List<String> cells, int batch) {
    StringJoiner all = new StringJoiner(",", "[", "]");
    cells.forEach(all::add);
    return "{\"dataset\":{\"name\":\"fashion-mnist\"},\"network\":"
        + all
        + ",\"precision\":{\"level\":\""
        + one(List.of("O0", "O1", "O2", "O3"))
        + "\"},\"training\":{\"batchSize\":"
        + batch
        + "}}";
  }

  /** Dense layers, each of which a key allows. */
  private List<String> wideLayers() {
    List<String> cells = new ArrayList<>(List.of("\"Flatten\""));
    int in = PIXELS;
    for (int pairs = 1 + random.nextInt(MOST_CELLS / 2 - 2); pairs > 0; pairs--) {
      int out = wide();
      int narrow = pairs == 1 ? CLASSES : 1 + random.nextInt(1024);
      cells.add(dense(in, String.valueOf(out)));
      cells.add(dense(out, String.valueOf(narrow)));
      in = narrow;
    }
    return cells;
  }

  /** Convolutions of which the images pass any machine. */
  private List<String> wideConvolutions() {
    List<String> cells = new ArrayList<>();
    int in = 1;
    int layers = 1 + random.nextInt(60);
    for (int i = 0; i < layers; i++) {
      int out = 1 << (7 + random.nextInt(7));
      cells.add(convolution(String.valueOf(in), String.valueOf(out), one(List.of("1", "3", "5"))));
      cells.add("{\"cell\":\"BatchNorm2d\",\"numFeatures\":" + out + "}");
      cells.add("\"ReLU\"");
      in = out;
    }
    cells.add("\"GlobalAvgPool2d\"");
    cells.add("\"Flatten\"");
    cells.add(dense(in, String.valueOf(CLASSES)));
    return cells;
  }

  /** Residual blocks of few weights, of which the images inside pass any machine. */
  private List<String> wideBlocks() {
    List<String> cells = new ArrayList<>();
    cells.add("\"Flatten\"");
    int width = MOST >> (3 + random.nextInt(5));
    cells.add(dense(PIXELS, String.valueOf(width)));
    int blocks = 2 + random.nextInt(40);
    for (int i = 0; i < blocks; i++) {
      cells.add(
          "{\"cell\":\"Residual\",\"branch\":["
              + dense(width, "16")
              + ",\"GELU\","
              + dense(16, String.valueOf(width))
              + "]}");
    }
    cells.add(dense(width, String.valueOf(CLASSES)));
    return cells;
  }
}
