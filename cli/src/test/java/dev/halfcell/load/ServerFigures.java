package dev.halfcell.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What Linux tells of a process.
 *
 * @param resident bytes of memory
 * @param files that are open, sockets included
 * @param threadNames those of its threads, at most 15 letters each
 * @param ticks of processor time that it has used, of which a second has a hundred
 */
record ServerFigures(long resident, long files, List<String> threadNames, long ticks) {
  private static final double MEBIBYTE = 1 << 20;

  static ServerFigures of(long pid) throws IOException {
    Path process = Path.of("/proc", String.valueOf(pid));
    String status = Files.readString(process.resolve("status"));
    String stat = Files.readString(process.resolve("stat"));
    String[] behindName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    try (Stream<Path> files = Files.list(process.resolve("fd"))) {
      return new ServerFigures(
          number(status, "VmRSS:") << 10,
          files.count(),
          threadNames(process),
          Long.parseLong(behindName[11]) + Long.parseLong(behindName[12]));
    }
  }

  /** A thread may end while one reads; then it is none of them. */
  private static List<String> threadNames(Path process) throws IOException {
    try (Stream<Path> tasks = Files.list(process.resolve("task"))) {
      return tasks.flatMap(ServerFigures::name).sorted().toList();
    }
  }

  private static Stream<String> name(Path task) {
    try {
      return Stream.of(Files.readString(task.resolve("comm")).strip());
    } catch (IOException e) {
      if (Files.exists(task)) {
        throw new UncheckedIOException(e);
      }
      return Stream.empty();
    }
  }

  int threads() {
    return threadNames.size();
  }

  /** The threads of these figures beyond those of earlier ones, by name. */
  List<String> threadsSince(ServerFigures before) {
    List<String> more = new ArrayList<>(threadNames);
    before.threadNames.forEach(more::remove);
    return more;
  }

  private static long number(String status, String key) {
    return status
        .lines()
        .filter(line -> line.startsWith(key))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  double mebibytes() {
    return resident / MEBIBYTE;
  }

  @Override
  public String toString() {
    return "%.0f MiB resident, %d files, %d threads".formatted(mebibytes(), files, threads());
  }
}
