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
 * @param warmup steps before the timed ones
 * @param steps timed steps
 * @param settings what else the framework can be told, by name
 */
record Order(
    String framework,
    Network network,
    int batch,
    Path start,
    int warmup,
    int steps,
    Map<String, String> settings) {
  private static final int FIXED = 6;

  /** Reads {@code FRAMEWORK NETWORK BATCH START WARMUP STEPS [NAME=VALUE ...]}. */
  static Order parse(String... arguments) {
    if (arguments.length < FIXED) {
      throw new IllegalArgumentException(
          "expected FRAMEWORK NETWORK BATCH START WARMUP STEPS [NAME=VALUE ...]");
    }
    List<String> given = List.of(arguments);
    return new Order(
        given.get(0),
        Network.named(given.get(1)),
        Integer.parseInt(given.get(2)),
        Path.of(given.get(3)),
        Integer.parseInt(given.get(4)),
        Integer.parseInt(given.get(5)),
        given.subList(FIXED, given.size()).stream()
            .map(setting -> Arrays.asList(setting.split("=", 2)))
            .collect(Collectors.toMap(List::getFirst, List::getLast)));
  }

  /** A setting, or what holds where it is not given. */
  String setting(String name, String otherwise) {
    return settings.getOrDefault(name, otherwise);
  }
}
