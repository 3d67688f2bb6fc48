package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code halfcell train --resume}, of runs that were killed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ResumeCommandTest {
  private static final long PATIENCE_SECONDS = 60;

  private Path folder = Path.of("");

  @BeforeAll
  void writeData(@TempDir Path all) throws IOException {
    folder = all;
    var _ = TinyFashion.write(Files.createDirectory(data()));
  }

  private Path data() {
    return folder.resolve("data");
  }

  private String[] arguments(Path out, String level) {
    return new String[] {
      "train",
      "lenet5",
      "--device=cpu",
      "--level=" + level,
      "--data=" + data(),
      "--batch-size=8",
      "--epochs=12",
      "--checkpoint-every-steps=1",
      "--log=csv,tensorboard",
      "--quiet",
      "--out=" + out
    };
  }

  private static boolean hasCheckpoint(Path run, int step) throws IOException {
    Path checkpoints = run.resolve("checkpoints");
    if (!Files.isDirectory(checkpoints)) {
      return false;
    }
    String least = "step-%012d".formatted(step);
    try (Stream<Path> files = Files.list(checkpoints)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .anyMatch(name -> name.startsWith("step-") && name.compareTo(least) >= 0);
    }
  }

  private void killAfter(int step, Path run, String level) throws Exception {
    try (CommandLineProcess process = CommandLineProcess.start(arguments(run, level))) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (!hasCheckpoint(run, step)) {
        assertTrue(process.isAlive() && System.nanoTime() < end, process::said);
        TimeUnit.MILLISECONDS.sleep(5);
      }
      assertTrue(process.kill(), "it was killed before its end");
    }
  }

  private static List<String> metrics(Path run) throws IOException {
    return Files.readAllLines(run.resolve("metrics.jsonl")).stream()
        .map(line -> line.replaceAll("\"(step|data_wait)_ms\":[^,}]+", ""))
        .toList();
  }

  /** The table without its last two columns, which are times. */
  private static List<String> table(Path run) throws IOException {
    return Files.readAllLines(run.resolve("steps.csv")).stream()
        .map(line -> line.replaceAll("(,[^,]*){2}$", ""))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"1, O2", "20, O0"})
  @Tag("process")
  void aRunThatWasKilledEndsInTheSameFilesAsOneThatWasNot(int step, String level) throws Exception {
    Path whole = folder.resolve("whole-" + level);
    Path killed = folder.resolve("killed-" + level);
    assertEquals(0, CommandLineRun.of(arguments(whole, level)).exitCode());
    killAfter(step, killed, level);
    CommandLineRun resumed = CommandLineRun.of("train", "--resume=" + killed, "--quiet");
    assertEquals(0, resumed.exitCode(), resumed.err());
    assertTrue(resumed.err().contains("goes on after step "), resumed.err());
    assertEquals(metrics(whole), metrics(killed));
    assertEquals(table(whole), table(killed));
    assertTrue(Files.exists(killed.resolve("events.out.tfevents.0002.halfcell")));
    assertArrayEquals(
        Files.readAllBytes(whole.resolve("model.safetensors")),
        Files.readAllBytes(killed.resolve("model.safetensors")));
    assertArrayEquals(
        Files.readAllBytes(whole.resolve("specification.json")),
        Files.readAllBytes(killed.resolve("specification.json")));
  }

  /** A run that is over has nothing to do, and does it to the same bytes. */
  @Test
  void aFinishedRunMayBeResumed() throws IOException {
    Path run = folder.resolve("finished");
    assertEquals(0, CommandLineRun.of(arguments(run, "O1")).exitCode());
    byte[] model = Files.readAllBytes(run.resolve("model.safetensors"));
    List<String> lines = metrics(run);
    assertEquals(0, CommandLineRun.of("train", "--resume=" + run, "--quiet").exitCode());
    assertArrayEquals(model, Files.readAllBytes(run.resolve("model.safetensors")));
    assertEquals(lines, metrics(run));
  }

  @Test
  void aRunWhoseSpecificationWasEditedIsRefusedWithBothValues() throws IOException {
    Path run = folder.resolve("edited");
    assertEquals(0, CommandLineRun.of(arguments(run, "O1")).exitCode());
    Path specification = run.resolve("specification.json");
    String text = Files.readString(specification).replaceAll("(\"epochs\" : )\\d+", "$113");
    Files.writeString(specification, text.replaceAll("(\"momentum\" : )[0-9.]+", "$10.5"));
    CommandLineRun resumed = CommandLineRun.of("train", "--resume=" + run);
    assertEquals(6, resumed.exitCode());
    assertTrue(
        resumed.err().contains("expected /training/epochs 13; /training/optimizer/momentum 0.5"),
        resumed.err());
    assertTrue(
        resumed.err().contains("got /training/epochs 12; /training/optimizer/momentum 0.9"),
        resumed.err());
  }

  @Test
  void otherFlagsAndOtherFoldersAreRefusedInALine() {
    CommandLineRun other = CommandLineRun.of("train", "--resume=" + data(), "--epochs=3");
    assertEquals(2, other.exitCode());
    assertTrue(other.err().contains("[--resume]: expected no flags but"), other.err());
    CommandLineRun none = CommandLineRun.of("train", "--resume=" + data());
    assertEquals(2, none.exitCode());
    assertEquals(1, none.errLines().size(), none.err());
  }

  @Test
  void aRunWhoseCheckpointsAreAllDamagedIsNeverBegunAnew() throws IOException {
    Path run = folder.resolve("damaged");
    assertEquals(0, CommandLineRun.of(arguments(run, "O2")).exitCode());
    try (Stream<Path> files = Files.list(run.resolve("checkpoints"))) {
      for (Path file : files.toList()) {
        Files.writeString(file, "x", StandardOpenOption.APPEND);
      }
    }
    CommandLineRun resumed = CommandLineRun.of("train", "--resume=" + run);
    assertEquals(6, resumed.exitCode());
    assertEquals(1, resumed.errLines().size(), resumed.err());
    assertTrue(resumed.err().contains("expected a usable checkpoint, got step-"), resumed.err());
  }
}
