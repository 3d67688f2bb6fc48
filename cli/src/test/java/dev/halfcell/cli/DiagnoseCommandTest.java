package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trains with diagnosis, and looks into what it left. */
final class DiagnoseCommandTest {
  @TempDir private Path folder;

  private Path data = Path.of("");

  @BeforeEach
  void writeData() throws IOException {
    data = TinyFashion.write(Files.createDirectory(folder.resolve("data")));
  }

  private CommandLineRun train(String out, String... more) {
    Stream<String> first =
        Stream.of(
            "train",
            "lenet5",
            "--device=cpu",
            "--data=" + data,
            "--epochs=1",
            "--batch-size=16",
            "--out=" + folder.resolve(out));
    return CommandLineRun.of(Stream.concat(first, Arrays.stream(more)).toArray(String[]::new));
  }

  private CommandLineRun diagnose(String run, String... more) {
    Stream<String> first = Stream.of("diagnose", folder.resolve(run).toString());
    return CommandLineRun.of(Stream.concat(first, Arrays.stream(more)).toArray(String[]::new));
  }

  @Test
  void aBatchThatOverflowedIsSavedAndItsStepRunsAgain() throws IOException {
    CommandLineRun run = train("run", "--loss-scale=1e9", "--diagnose");
    Path out = folder.resolve("run");
    assertTrue(Files.exists(out.resolve("offending-batch.safetensors")), run.err());
    assertTrue(Files.exists(out.resolve("offending-state.safetensors")), run.err());
    String metrics = Files.readString(out.resolve("metrics.jsonl"));
    assertTrue(metrics.contains("\"first_offender\":{\"path\":"), metrics);
    assertTrue(metrics.contains("\"direction\":\"backward\""), metrics);
    String told =
        run.outLines().stream().filter(l -> l.startsWith("first offender")).toList().getLast();
    CommandLineRun again = diagnose("run");
    assertEquals(0, again.exitCode(), again.err());
    assertTrue(again.outLines().contains(told), again.out());
    assertTrue(again.out().contains("loss scale: 1000000000"), again.out());
    assertTrue(again.out().contains("least is lost at scale 2^"), again.out());
  }

  @Test
  void aRunWhoseStepsAreFiniteIsSaidToBeSo() {
    CommandLineRun run = train("run");
    assertEquals(0, run.exitCode(), run.err());
    CommandLineRun found = diagnose("run");
    assertEquals(0, found.exitCode(), found.err());
    assertTrue(found.out().contains("all is finite"), found.out());
    assertTrue(found.out().contains("model.safetensors"), found.out());
    assertFalse(Files.exists(folder.resolve("run").resolve("offending-batch.safetensors")));
    CommandLineRun json = diagnose("run", "--json");
    assertEquals(1, json.outLines().size());
    assertTrue(json.out().startsWith("{\"half\":\"fp16\",\"scale\":65536.0"), json.out());
  }

  @Test
  void withoutABatchTheScaleIsTheOneThatTheRunEndedAt() {
    assertEquals(0, train("run", "--loss-scale=logmax").exitCode());
    CommandLineRun found = diagnose("run");
    assertTrue(found.out().contains("loss scale: 16384\n"), found.out());
  }

  /** A batch that was applied in the end has moved the state that it overflowed on. */
  @Test
  void aBatchThatIsTriedAgainIsNamedAndNotSaved() throws IOException {
    CommandLineRun run =
        train("run", "--loss-scale=mindspore", "--overflow-policy=retry:20", "--diagnose");
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("first offender: "), run.out());
    Path out = folder.resolve("run");
    String metrics = Files.readString(out.resolve("metrics.jsonl"));
    assertTrue(metrics.contains("\"first_offender\":{\"path\":"), metrics);
    assertTrue(metrics.contains("\"tries\":"), metrics);
    assertFalse(Files.exists(out.resolve("offending-batch.safetensors")), metrics);
  }

  @Test
  void aCellThatItsStepMovedIsSaidToBeMoved() {
    CommandLineRun run = train("run", "--loss-scale=1e9", "--demotion=1,1");
    String told =
        run.outLines().stream().filter(l -> l.startsWith("demoted to fp32: ")).toList().getLast();
    CommandLineRun again = diagnose("run");
    assertEquals(0, again.exitCode(), again.err());
    String cell = told.substring("demoted to fp32: ".length());
    assertTrue(again.outLines().contains("demoted to fp32 by this step: " + cell), again.out());
  }

  @Test
  void aWatchedExceptionEndsTheTrainingAndTheOpeningSaysThatStepsRunOpByOp() {
    CommandLineRun run = train("run", "--loss-scale=1e9", "--fp-exceptions=oflo,inv");
    assertEquals(5, run.exitCode());
    assertTrue(run.err().startsWith("halfcell: [OFLO] at "), run.err());
    assertTrue(run.err().contains(", backward: expected"), run.err());
    assertTrue(
        run.out().contains("op by op, for debugging: INV, OFLO ends the training"), run.out());
  }

  @Test
  void demotedCellsAreToldAndStandInThePlanAndTheSummary() throws IOException {
    CommandLineRun run = train("run", "--loss-scale=1e9", "--demotion=1,1");
    String summary = Files.readString(folder.resolve("run").resolve("summary.json"));
    String plan = Files.readString(folder.resolve("run").resolve("plan.txt"));
    List<String> told =
        run.outLines().stream().filter(line -> line.startsWith("demoted to fp32: ")).toList();
    assertFalse(told.isEmpty(), run.out());
    String cell = told.getFirst().substring("demoted to fp32: ".length());
    assertTrue(summary.contains("\"" + cell + "\""), summary);
    assertTrue(plan.contains("demoted at step"), plan);
  }

  @Test
  void whatIsNoRunIsOneLine() {
    CommandLineRun none = diagnose("none");
    assertEquals(2, none.exitCode());
    assertEquals(1, none.errLines().size(), none.err());
    assertTrue(none.err().contains("run.json"), none.err());
  }
}
