package dev.halfcell.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * HalfCell's times on a GPU, as they are kept.
 *
 * @param device the GPU's name, or that of another device
 * @param driver its version
 * @param commit of HalfCell
 * @param check what the tests on this GPU gave before: {@code passed}, {@code failed} or {@code
 *     skipped}
 * @param versions of what computed, by name
 * @param rounds how often each level was measured, in turn
 * @param effort what each process measured
 * @param rows what came out
 */
record LevelRun(
    String device,
    String driver,
    String commit,
    String check,
    Map<String, String> versions,
    int rounds,
    Effort effort,
    List<LevelRow> rows) {
  private static final String FILE = "halfcell.json";

  LevelRun {
    versions = new TreeMap<>(versions);
    rows = List.copyOf(rows);
  }

  /** Writes it over an older one. */
  Path write(Path folder) throws IOException {
    return Json.write(folder, FILE, this);
  }

  /** The one that was written into the folder. */
  static LevelRun read(Path folder) throws IOException {
    return Json.read(folder.resolve(FILE), LevelRun.class);
  }

  /** Whether one was written into the folder. */
  static boolean isIn(Path folder) {
    return Files.exists(folder.resolve(FILE));
  }
}
