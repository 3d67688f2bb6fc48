package dev.halfcell.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A whole run, as it is kept.
 *
 * @param cpu what it was made on
 * @param load the machine's load average when it began; near 0 on a quiet machine
 * @param commit of HalfCell
 * @param versions of what computed, by name
 * @param protocol how it was made
 * @param comparisons what came out
 */
record Results(
    Cpu cpu,
    double load,
    String commit,
    Map<String, String> versions,
    Protocol protocol,
    List<Comparison> comparisons) {
  Results {
    versions = new TreeMap<>(versions);
    comparisons = List.copyOf(comparisons);
  }

  /** Writes them into the file of this kind of processor, over older ones. */
  Path write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Path file = folder.resolve(cpu.kind() + ".json");
    Files.writeString(file, Json.indented().writeValueAsString(this) + "\n");
    return file;
  }
}
