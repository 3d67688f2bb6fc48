package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A library that makes of any program one that never syncs: a mistake for tests to notice. */
final class NoSync {
  /** What {@link #compile} needs (Debian: {@code apt-get install g++}). */
  static final Path COMPILER = Path.of("/usr/bin/g++");

  private static final String SOURCE =
      """
      extern "C" int fsync(int) { return 0; }
      extern "C" int fdatasync(int) { return 0; }
      """;

  private NoSync() {}

  /** Makes it in a folder; {@code LD_PRELOAD} names it to a program. */
  static Path compile(Path folder) throws IOException, InterruptedException {
    Path source = Files.writeString(folder.resolve("no-sync.cpp"), SOURCE);
    Path library = folder.resolve("no-sync.so");
    Process process =
        new ProcessBuilder(
                COMPILER.toString(),
                "-shared",
                "-fPIC",
                "-o",
                library.toString(),
                source.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), said);
    assertEquals(0, process.exitValue(), said);
    return library;
  }
}
