package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ctrl-C and SIGTERM, in processes of their own. */
@Tag("process")
final class InterruptionTest {
  @TempDir private Path folder;

  private Path out = Path.of("");

  @BeforeEach
  void writeData() throws Exception {
    var _ = TinyFashion.write(Files.createDirectory(folder.resolve("data")));
    out = folder.resolve("run");
  }

  private CommandLineProcess train(String... more) throws Exception {
    String[] first = {
      "train",
      "lenet5",
      "--data=" + folder.resolve("data"),
      "--epochs=10000",
      "--quiet",
      "--out=" + out
    };
    return CommandLineProcess.start(
        Stream.concat(Stream.of(first), Stream.of(more)).toArray(String[]::new));
  }

  private List<Path> checkpoints() throws Exception {
    try (Stream<Path> checkpoints = Files.list(out.resolve("checkpoints"))) {
      return checkpoints.sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void aSignalSavesACheckpointAndEndsWithItsOwnCode(String signal, int code) throws Exception {
    try (CommandLineProcess process = train("--device=cpu", "--batch-size=8")) {
      process.await(out.resolve("metrics.jsonl"));
      process.signal(signal);
      process.assertEnds(code, "interrupted after step ", "its state is in " + out);
      assertTrue(process.said().contains(checkpoints().getLast().toString()), process::said);
      int step = Integer.parseInt(process.said().replaceAll("(?s).*after step (\\d+);.*", "$1"));
      List<Path> all = checkpoints();
      // One at the end of each epoch of five steps, one where it was stopped; two are kept.
      assertEquals(Math.min(2, Math.ceilDiv(step, 5)), all.size(), all::toString);
      String last = "step-%012d.safetensors".formatted(step);
      assertEquals(last, String.valueOf(all.getLast().getFileName()));
    }
    List<Path> all = checkpoints();
    assertTrue(Files.size(all.getLast()) > 61_706 * 4);
    assertFalse(Files.exists(out.resolve("summary.json")));
  }

  /** On the reference backend a step of 40 images takes long; none is cut off. */
  @Test
  void theStepAtHandIsFinishedHoweverLongItTakes() throws Exception {
    try (CommandLineProcess process = train("--device=reference", "--batch-size=40")) {
      process.await(out.resolve("specification.json"));
      process.signal("TERM");
      process.assertEnds(143, "interrupted after step ");
    }
    assertEquals(1, checkpoints().size());
    CommandLineRun rest =
        CommandLineRun.of("train", "--resume=" + out, "--data=" + folder.resolve("none"));
    assertEquals(2, rest.exitCode(), rest.err());
  }

  /** Before it trains there may be nothing to save or say; afterwards there is, once. */
  @Tag("slow")
  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void aSignalAtAnyTimeEndsWithItsOwnCode(String signal, int code) throws Exception {
    SplittableRandom random = new SplittableRandom(code);
    for (int time = 0; time < 30; time++) {
      out = folder.resolve("run-" + time);
      long delay = random.nextLong(1500);
      try (CommandLineProcess process =
          train("--device=cpu", "--batch-size=8", "--checkpoint-every-steps=1")) {
        TimeUnit.MILLISECONDS.sleep(delay);
        process.signal(signal);
        assertEquals(code, process.exitCode(), () -> "after " + delay + " ms: " + process.said());
        boolean began = Files.exists(out.resolve("checkpoints"));
        assertEquals(began ? 1 : 0, process.said().lines().count(), process::said);
      }
    }
  }
}
