package dev.halfcell.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What Linux tells of a process.
 *
 * @param resident bytes of memory
 * @param files that are open, sockets included
 * @param ticks of processor time that it has used, of which a second has a hundred
 */
record ServerFigures(long resident, long files, long threads, long ticks) {
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
          number(status, "Threads:"),
          Long.parseLong(behindName[11]) + Long.parseLong(behindName[12]));
    }
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
    return "%.0f MiB resident, %d files, %d threads".formatted(mebibytes(), files, threads);
  }
}
