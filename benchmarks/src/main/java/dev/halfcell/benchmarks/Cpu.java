package dev.halfcell.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The processor that a result was made on.
 *
 * @param name its model name
 * @param processors how many of them there are
 * @param features those that decide how fast a training step is, in the spelling of Linux
 */
record Cpu(String name, int processors, List<String> features) {
  /** From the least to the most that a feature changes. */
  private static final List<String> FEATURES =
      List.of("avx2", "avx512f", "avx512_bf16", "avx512_fp16", "amx_bf16", "amx_fp16");

  Cpu {
    features = List.copyOf(features);
  }

  /** The processor at hand. */
  static Cpu here() throws IOException {
    int processors = Runtime.getRuntime().availableProcessors();
    return parse(Files.readString(Path.of("/proc/cpuinfo")), processors);
  }

  /** The first one of a text like {@code /proc/cpuinfo}. */
  static Cpu parse(String text, int processors) {
    List<String> flags = Arrays.asList(value(text, "flags").orElse("").split(" "));
    return new Cpu(
        value(text, "model name").orElse("unknown"),
        processors,
        FEATURES.stream().filter(flags::contains).toList());
  }

  private static Optional<String> value(String text, String key) {
    return text.lines()
        .filter(line -> line.startsWith(key) && line.contains(":"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst();
  }

  /** The kind of processor that results are kept by: its foremost feature. */
  String kind() {
    return features.isEmpty() ? "other" : features.getLast();
  }
}
