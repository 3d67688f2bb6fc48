package dev.halfcell.zoo.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A processor as Linux describes it.
 *
 * @param name its model name
 * @param flags its features, in the kernel's spelling
 */
public record Cpu(String name, Set<String> flags) {
  /** The features that decide how fast a training step is, in the kernel's spelling. */
  public static final List<String> FEATURES =
      List.of(
          "avx2",
          "f16c",
          "avx512f",
          "avx512_vnni",
          "avx512_bf16",
          "avx512_fp16",
          "amx_tile",
          "amx_bf16",
          "amx_fp16");

  private static final Path DESCRIPTION = Path.of("/proc/cpuinfo");

  public Cpu {
    flags = Set.copyOf(flags);
  }

  /** The processor of this machine; its architecture alone where it does not describe itself. */
  public static Cpu here() {
    try {
      return parse(Files.readString(DESCRIPTION));
    } catch (IOException e) {
      return new Cpu(System.getProperty("os.arch"), Set.of());
    }
  }

  /** The first processor that a text in the format of {@code /proc/cpuinfo} describes. */
  static Cpu parse(String description) {
    List<String> lines = description.lines().toList();
    String name = value(lines, "model name").orElseGet(() -> System.getProperty("os.arch"));
    List<String> flags =
        value(lines, "flags").map(text -> Arrays.asList(text.split(" +"))).orElse(List.of());
    return new Cpu(name, Set.copyOf(flags));
  }

  /** Whether it has a feature. */
  public boolean has(String feature) {
    return flags.contains(feature);
  }

  private static Optional<String> value(List<String> lines, String key) {
    return lines.stream()
        .filter(line -> line.startsWith(key) && line.indexOf(':') > 0)
        .filter(line -> line.substring(0, line.indexOf(':')).strip().equals(key))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst();
  }
}
