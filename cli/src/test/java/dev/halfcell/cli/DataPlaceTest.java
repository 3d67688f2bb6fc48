package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The data of a run is that which it was trained on, whatever was installed or moved since. */
@Tag("process")
final class DataPlaceTest {
  private static final String JOB =
      """
      network: [{cell: Flatten}, {cell: Dense, inChannels: 784, outChannels: 10}]
      dataset: {config: {shape: [1, 28, 28]}}
      device: cpu
      training: {steps: 2, batchSize: 8}
      """;
  private static final String GONE = "the run's data is no longer where it was found";

  @TempDir private Path folder;

  private Path home = Path.of("");
  private Path job = Path.of("");
  private Path run = Path.of("");

  @BeforeEach
  void makeHome() throws IOException {
    home = Files.createDirectory(folder.resolve("home"));
    job = Files.writeString(folder.resolve("job.yaml"), JOB);
    run = folder.resolve("run");
  }

  private static Path dataAt(Path home) {
    return home.resolve(".halfcell/data/fashion-mnist");
  }

  private static void installAt(Path home) throws IOException {
    var _ = TinyFashion.write(Files.createDirectories(dataAt(home)));
  }

  /** What is said to a user with this home folder, in which data is looked for first. */
  private CommandLineRun at(Path home, String... arguments) throws Exception {
    Path output = folder.resolve("output");
    List<String> java = List.of("-Duser.home=" + home);
    try (CommandLineProcess process = CommandLineProcess.printing(output, java, arguments)) {
      int exitCode = process.exitCode();
      assertEquals(0, exitCode, process::said);
      return new CommandLineRun(exitCode, Files.readString(output), process.said());
    }
  }

  private void train() throws Exception {
    var _ = at(home, "train", "--config=" + job, "--quiet", "--out=" + run);
  }

  /** The data that the run says it was trained and tested on. */
  private String dataset() throws IOException {
    String summary = Files.readString(run.resolve("summary.json"));
    return new JsonMapper().readTree(summary).get("dataset").stringValue();
  }

  @Test
  void dataThatWasInstalledSinceIsNotTakenForTheRuns() throws Exception {
    train();
    String dataset = dataset();
    installAt(home);
    CommandLineRun evaluated = at(home, "evaluate", run.toString());
    assertTrue(evaluated.out().contains(dataset), evaluated::out);
    assertFalse(evaluated.err().contains(GONE), evaluated::err);
    CommandLineRun resumed = at(home, "train", "--resume=" + run, "--quiet");
    assertTrue(resumed.err().contains("goes on after step "), resumed::err);
    assertFalse(resumed.err().contains(GONE), resumed::err);
    assertEquals(dataset, dataset());
  }

  /** As on another machine, to which the run was copied. */
  @Test
  void dataThatWasFoundAndIsGoneIsSearchedForAndThatIsSaid() throws Exception {
    installAt(home);
    train();
    Path other = Files.move(home, folder.resolve("other"));
    CommandLineRun evaluated = at(other, "evaluate", run.toString());
    assertTrue(evaluated.out().contains(other.toString()), evaluated::out);
    assertTrue(evaluated.err().contains(GONE), evaluated::err);
    CommandLineRun diagnosed = at(other, "diagnose", run.toString());
    assertTrue(diagnosed.err().contains(GONE), diagnosed::err);
    CommandLineRun resumed = at(other, "train", "--resume=" + run, "--quiet");
    assertTrue(resumed.err().contains(GONE), resumed::err);
    assertTrue(resumed.err().contains("goes on after step "), resumed::err);
    CommandLineRun named = at(other, "evaluate", run.toString(), "--data=" + dataAt(other));
    assertFalse(named.err().contains(GONE), named::err);
  }

  @Test
  void aFolderThatWasNamedIsNeverReplaced() throws IOException {
    Path named = TinyFashion.write(Files.createDirectory(folder.resolve("named")));
    CommandLineRun trained =
        CommandLineRun.of("train", "--config=" + job, "--data=" + named, "--quiet", "--out=" + run);
    assertEquals(0, trained.exitCode(), trained.err());
    Files.move(named, folder.resolve("elsewhere"));
    for (String[] command :
        new String[][] {{"evaluate", run.toString()}, {"train", "--resume=" + run}}) {
      CommandLineRun refused = CommandLineRun.of(command);
      assertEquals(ExitCode.BAD_ARGUMENTS, refused.exitCode(), refused.err());
      assertEquals(1, refused.errLines().size(), refused.err());
      assertTrue(refused.err().contains(named.toString()), refused.err());
    }
  }
}
