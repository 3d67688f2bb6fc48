package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code halfcell evaluate} of runs that {@code train} has written. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EvaluateCommandTest {
  private Path folder = Path.of("");

  @BeforeAll
  void writeData(@TempDir Path all) throws IOException {
    folder = all;
    var _ = TinyFashion.write(Files.createDirectory(folder.resolve("data")));
    assertEquals(0, train("plain").exitCode());
  }

  private CommandLineRun train(String out, String... more) {
    Stream<String> first =
        Stream.of(
            "train",
            "lenet5",
            "--device=cpu",
            "--data=" + folder.resolve("data"),
            "--epochs=2",
            "--batch-size=7",
            "--quiet",
            "--out=" + folder.resolve(out));
    return CommandLineRun.of(Stream.concat(first, Arrays.stream(more)).toArray(String[]::new));
  }

  private CommandLineRun evaluate(String run, String... more) {
    Stream<String> first = Stream.of("evaluate", folder.resolve(run).toString());
    return CommandLineRun.of(Stream.concat(first, Arrays.stream(more)).toArray(String[]::new));
  }

  /** The three numbers as summary.json has them, behind a prefix, on one line. */
  private String summary(String run, String prefix) throws IOException {
    String text = Files.readString(folder.resolve(run).resolve("summary.json"));
    return Stream.of("test_loss", "test_accuracy", "test_top5_accuracy")
        .map(
            key ->
                text.lines()
                    .map(line -> line.strip().replaceAll(",$", ""))
                    .filter(line -> line.startsWith("\"" + prefix + key + "\" : "))
                    .findFirst()
                    .orElseThrow()
                    .replace(" : ", ":"))
        .reduce((one, two) -> one + "," + two)
        .map(all -> "{" + all + "}")
        .orElseThrow();
  }

  private static String json(CommandLineRun run) {
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(1, run.outLines().size(), run.out());
    return run.outLines().getFirst();
  }

  @ParameterizedTest
  @CsvSource({
    "O0, --half=fp16",
    "O2, --half=bf16",
    "O3, --half=fp16",
    "O2, --loss-scale=1e9 --demotion=1:1",
    "O2, --half-parameters --stochastic-rounding"
  })
  void theFinishedModelHasTheNumbersOfItsSummaryBitForBit(String level, String more)
      throws IOException {
    String name = "same-" + level + more.hashCode();
    String[] flags = ("--level=" + level + " " + more.replace(':', ',')).split(" ");
    CommandLineRun trained = train(name, flags);
    assertEquals(0, trained.exitCode(), trained.err());
    assertEquals(summary(name, ""), json(evaluate(name, "--json")));
    assertEquals(summary(name, ""), json(evaluate(name, "--json", "--checkpoint=last")));
  }

  @Test
  void averagesHaveTheirOwnNumbersInTheSummary() throws IOException {
    assertEquals(0, train("ema", "--ema=0.9").exitCode());
    assertEquals(summary("ema", "ema_"), json(evaluate("ema", "--json", "--average")));
    assertEquals(summary("ema", ""), json(evaluate("ema", "--json")));
    assertFalse(summary("ema", "ema_").equals(summary("ema", "")));
  }

  /** What epochs are compared by is in checkpoints too. */
  @Test
  void averagesOfARunThatWatchesItsEpochsAreRead() throws IOException {
    Path job = folder.resolve("watching.yaml");
    Files.writeString(
        job, "{training: {earlyStopping: 3, ema: 0.9}, checkpoint: {best: test_loss}}");
    CommandLineRun trained = train("watching", "--config=" + job);
    assertEquals(0, trained.exitCode(), trained.err());
    assertEquals(summary("watching", "ema_"), json(evaluate("watching", "--json", "--average")));
    CommandLineRun diagnosed = CommandLineRun.of("diagnose", folder.resolve("watching").toString());
    assertEquals(0, diagnosed.exitCode(), diagnosed.err());
  }

  @Test
  void theTableNamesRunDataAndValues() {
    CommandLineRun run = evaluate("plain", "--batch-size=3");
    assertEquals(0, run.exitCode(), run.err());
    for (String part :
        new String[] {
          "network",
          "lenet5 on cpu",
          "O2 (half: fp16)",
          "16 test",
          "model.safetensors",
          "test loss",
          "test accuracy",
          "test top-5"
        }) {
      assertTrue(run.out().contains(part), () -> part + " in " + run.out());
    }
  }

  @Test
  void aRunThatIsNotFinishedNeedsACheckpoint() throws IOException {
    Path half = Files.createDirectories(folder.resolve("half").resolve("checkpoints"));
    for (String name : new String[] {"specification.json", "run.json"}) {
      Files.copy(folder.resolve("plain").resolve(name), folder.resolve("half").resolve(name));
    }
    assertRefused(evaluate("half"), "of a run that is finished", "--checkpoint");
    assertRefused(evaluate("half", "--checkpoint=last"), "expected a checkpoint");
    try (Stream<Path> files = Files.list(folder.resolve("plain").resolve("checkpoints"))) {
      for (Path file : files.toList()) {
        Files.copy(file, half.resolve(String.valueOf(file.getFileName())));
      }
    }
    String whole = json(evaluate("plain", "--json"));
    assertEquals(whole, json(evaluate("half", "--json", "--checkpoint=last")));
  }

  @Test
  void whatDoesNotFitIsALine() throws IOException {
    assertRefused(evaluate("none"), "run.json", "halfcell train");
    assertRefused(evaluate("data"), "run.json");
    assertRefused(evaluate("plain", "--average"), "--average", "moving averages");
    assertRefused(
        ExitCode.DISK_OR_DATA,
        evaluate("plain", "--checkpoint=" + folder.resolve("nothing")),
        "nothing");
    assertRefused(evaluate("plain", "--data=" + folder.resolve("elsewhere")), "elsewhere");
    assertRefused(evaluate("plain", "--batch-size=0"), "--batch-size");
    Path text = Files.writeString(folder.resolve("text.safetensors"), "no tensors here");
    assertRefused(
        ExitCode.DISK_OR_DATA, evaluate("plain", "--checkpoint=" + text), "text.safetensors");
  }

  @Test
  void weightsOfAnotherNetworkAreRefusedWithTheDifferences() {
    CommandLineRun mlp =
        CommandLineRun.of(
            "train",
            "mlp",
            "--device=cpu",
            "--data=" + folder.resolve("data"),
            "--steps=1",
            "--batch-size=8",
            "--quiet",
            "--out=" + folder.resolve("mlp"));
    assertEquals(0, mlp.exitCode(), mlp.err());
    Path model = folder.resolve("mlp").resolve("model.safetensors");
    assertRefused(
        ExitCode.DISK_OR_DATA,
        evaluate("plain", "--checkpoint=" + model),
        "conv1.weight",
        "model.safetensors");
  }

  private static void assertRefused(CommandLineRun run, String... parts) {
    assertRefused(ExitCode.BAD_ARGUMENTS, run, parts);
  }

  private static void assertRefused(int exitCode, CommandLineRun run, String... parts) {
    assertEquals(exitCode, run.exitCode(), run.err());
    assertEquals(1, run.errLines().size(), run.err());
    for (String part : parts) {
      assertTrue(run.err().contains(part), () -> part + " in " + run.err());
    }
  }
}
