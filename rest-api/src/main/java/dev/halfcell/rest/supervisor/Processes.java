package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.worker.ResidentBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What Linux tells of processes. Any of them may end while it is asked for: then there is nothing
 * to tell.
 *
 * @param folder {@code /proc}
 */
record Processes(Path folder) {
  /** Those of this machine. */
  static Processes ofThisMachine() {
    return new Processes(Path.of("/proc"));
  }

  /** The memory that a process holds. */
  OptionalLong resident(long pid) {
    return ResidentBytes.of(text(pid, "status"));
  }

  /** Which process it belongs to; none where it is gone. */
  OptionalLong parent(long pid) {
    return text(pid, "status")
        .lines()
        .filter(line -> line.startsWith("PPid:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst();
  }

  /** The environment that it was started with; empty where it is another user's. */
  Map<String, String> environment(long pid) {
    return Arrays.stream(text(pid, "environ").split("\0"))
        .filter(entry -> entry.indexOf('=') > 0)
        .collect(
            Collectors.toMap(
                entry -> entry.substring(0, entry.indexOf('=')),
                entry -> entry.substring(entry.indexOf('=') + 1),
                (first, _) -> first));
  }

  /** All there are. */
  List<Long> all() {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .map(entry -> String.valueOf(entry.getFileName()))
          .filter(name -> name.matches("[1-9]\\d{0,9}"))
          .map(Long::valueOf)
          .toList();
    } catch (IOException e) {
      return List.of(); // not Linux: nothing is known of any
    }
  }

  /** Has the system end this process before others where memory is short. */
  void offer(long pid) throws IOException {
    Path score = folder.resolve(String.valueOf(pid)).resolve("oom_score_adj");
    if (Files.exists(score)) {
      Files.writeString(score, "500");
    }
  }

  private String text(long pid, String file) {
    try {
      return Files.readString(
          folder.resolve(String.valueOf(pid)).resolve(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
