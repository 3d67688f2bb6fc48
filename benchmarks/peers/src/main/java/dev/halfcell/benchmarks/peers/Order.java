package dev.halfcell.benchmarks.peers;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one process measures.
 *
 * @param framework whose step: {@code libtorch} or {@code djl}
 * @param network which network
 * @param batch samples in a step
 * @param start the file of {@link StartValues}
 * @param steps how many at most
 * @param seconds after which no step begins
 * @param settings what else the framework can be told, by name
 */
record Order(
    String framework,
    Network network,
    int batch,
    Path start,
    int steps,
    double seconds,
    Map<String, String> settings) {
  private static final int FIXED = 6;

  /** Reads {@code FRAMEWORK NETWORK BATCH START [NAME=VALUE ...] STEPS SECONDS}. */
  static Order parse(String... arguments) {
    if (arguments.length < FIXED) {
      throw new IllegalArgumentException(
          "expected FRAMEWORK NETWORK BATCH START [NAME=VALUE ...] STEPS SECONDS");
    }
    List<String> given = List.of(arguments);
    return new Order(
        given.get(0),
        Network.named(given.get(1)),
        Integer.parseInt(given.get(2)),
        Path.of(given.get(3)),
        Integer.parseInt(given.get(given.size() - 2)),
        Double.parseDouble(given.getLast()),
        given.subList(FIXED - 2, given.size() - 2).stream()
            .map(setting -> Arrays.asList(setting.split("=", 2)))
            .collect(Collectors.toMap(List::getFirst, List::getLast)));
  }

  /** The setting {@code learning-rate}. */
  double learningRate() {
    return Double.parseDouble(setting("learning-rate", "0.01"));
  }

  /** A setting, or what holds where it is not given. */
  String setting(String name, String otherwise) {
    return settings.getOrDefault(name, otherwise);
  }
}
