package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C, in a process of its own. */
final class InterruptionTest {
  private static final long PATIENCE_SECONDS = 60;

  @TempDir private Path folder;

  @Test
  void controlCSavesACheckpointAndEndsWith130() throws Exception {
    Path data = TinyFashion.write(Files.createDirectory(folder.resolve("data")));
    Path out = folder.resolve("run");
    Path errors = folder.resolve("errors.txt");
    Process process = start(data, out, errors);
    try {
      waitFor(out.resolve("metrics.jsonl"), process);
      new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start().waitFor();
      assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS));
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(errors);
    assertEquals(130, process.exitValue(), said);
    assertTrue(said.contains("halfcell: interrupted after step "), said);
    try (Stream<Path> checkpoints = Files.list(out.resolve("checkpoints"))) {
      List<Path> all = checkpoints.sorted().toList();
      assertEquals(2, all.size(), all::toString);
      assertTrue(Files.size(all.getLast()) > 61_706 * 4);
      assertTrue(said.contains(all.getLast().toString()), said);
    }
    assertFalse(Files.exists(out.resolve("summary.json")));
  }

  /** {@code env} undoes what a shell in the background may have set: to ignore Ctrl-C. */
  private static Process start(Path data, Path out, Path errors) throws IOException {
    List<String> command =
        List.of(
            "env",
            "--default-signal=INT",
            ProcessHandle.current().info().command().orElse("java"),
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "train",
            "lenet5",
            "--device=reference",
            "--data=" + data,
            "--batch-size=2",
            "--epochs=10000",
            "--out=" + out);
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(errors.toFile())
        .start();
  }

  /** An epoch is over as soon as there is something in the file. */
  private static void waitFor(Path metrics, Process process)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!Files.exists(metrics) || Files.size(metrics) == 0) {
      assertTrue(process.isAlive() && System.nanoTime() < end, "no step was taken");
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }
}
