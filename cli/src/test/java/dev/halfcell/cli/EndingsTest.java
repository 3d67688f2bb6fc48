package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.halfcell.disk.WholeFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How processes end that cannot do what they were asked: one line, a code, what was saved. */
@Tag("process")
final class EndingsTest {
  /** Of 4 MiB it leaves room for one checkpoint of LeNet-5 with momentum, not for two. */
  private static final int BALLAST = 3_300_000;

  @TempDir private Path folder;

  private Path data = Path.of("");
  private Path out = Path.of("");

  @BeforeEach
  void writeData() throws Exception {
    data = TinyFashion.write(Files.createDirectory(folder.resolve("data")));
    out = folder.resolve("run");
  }

  private String[] train(String... more) {
    Stream<String> first =
        Stream.of("train", "lenet5", "--device=cpu", "--quiet", "--batch-size=8", "--out=" + out);
    return Stream.concat(first, Stream.of(more)).toArray(String[]::new);
  }

  /** A rate that no number survives: every loss from the second step on is infinite or NaN. */
  @Test
  void aLossThatIsNoNumberFor25StepsEndsWith5AndTheStateBeforeTheLastOfThem() throws Exception {
    String[] wild = {
      "--data=" + data, "--level=O0", "--optimizer=sgd", "--learning-rate=1e38", "--epochs=100"
    };
    try (CommandLineProcess process = CommandLineProcess.start(train(wild))) {
      Path last = out.resolve("checkpoints/step-000000000025.safetensors");
      String saved = "Its last checkpoint is " + last + ".";
      process.assertEnds(5, "step 26", "maxHopelessSteps: 25 steps", saved);
      assertTrue(Files.exists(last));
    }
    List<String> lines = Files.readAllLines(out.resolve("metrics.jsonl"));
    assertEquals(25, lines.size());
    assertTrue(lines.getFirst().contains("\"overflow\":false"), lines.getFirst());
    lines.stream().skip(1).forEach(line -> assertTrue(line.contains("\"overflow\":true"), line));
    CommandLineRun resumed = CommandLineRun.of("train", "--resume=" + out, "--quiet");
    assertEquals(5, resumed.exitCode(), resumed.err());
    assertTrue(resumed.errLines().getFirst().contains("goes on after step 25"), resumed.err());
    assertEquals(2, resumed.errLines().size(), resumed.err());
  }

  /** The file is there and can be opened, but each attempt to read it is an error of the disk. */
  @Test
  void dataThatCannotBeReadEndsWith6() throws Exception {
    Path images = data.resolve("train-images-idx3-ubyte");
    Files.delete(images);
    Files.createSymbolicLink(images, Path.of("/proc/self/mem"));
    try (CommandLineProcess process = CommandLineProcess.start(train("--data=" + data))) {
      process.assertEnds(6, images.toString(), "Input/output error");
    }
    assertFalse(Files.exists(out));
  }

  @Test
  void tooSmallAHeapEndsWith7() throws Exception {
    List<String> little = List.of("-Xmx8m", "-XX:MaxDirectMemorySize=64m");
    String[] large = {"train", "lenet5", "--data=embedded", "--device=cpu", "--out=" + out};
    try (CommandLineProcess process = CommandLineProcess.start(little, large)) {
      process.assertEnds(7, "too little memory: Java heap space", "-Xmx");
    }
  }

  @Test
  void outputThatADiskRefusesEndsWith6() throws Exception {
    try (CommandLineProcess process =
        CommandLineProcess.printing(Path.of("/dev/full"), "--version")) {
      process.assertEnds(6, "standard output", "/dev/full", "refuses some of it");
    }
  }

  /** As where it is piped into {@code head}. */
  @Test
  void outputThatNobodyReadsToItsEndIsNoError() throws Exception {
    try (CommandLineProcess process = CommandLineProcess.unread("--version")) {
      assertEquals(0, process.exitCode(), process::said);
      assertEquals("", process.said());
    }
  }

  /** Java is told to look for a display here, as it does by itself where DISPLAY names one. */
  @Test
  void theLossIsDrawnWhereThereIsNoDisplay() throws Exception {
    List<String> display = List.of("-Djava.awt.headless=false");
    try (CommandLineProcess process =
        CommandLineProcess.start(display, train("--data=" + data, "--epochs=1"))) {
      assertEquals(0, process.exitCode(), process::said);
    }
    assertTrue(Files.exists(out.resolve("loss.svg")));
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  /** Training until there is no room for another checkpoint, then with room again. */
  @Test
  void aFullDiskEndsWith6AndLeavesACheckpointToGoOnFrom() throws Exception {
    Path small = Files.createDirectory(folder.resolve("small"));
    boolean mounted = run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", small.toString()) == 0;
    assumeTrue(mounted, "a small tmpfs cannot be mounted here: this needs root");
    try {
      Path whole = folder.resolve("whole");
      String[] rest = {
        "--data=" + data,
        "--level=O0",
        "--optimizer=momentum",
        "--epochs=4",
        "--checkpoint-every-steps=2"
      };
      assertEquals(0, CommandLineRun.of(with(train(rest), "--out=" + whole)).exitCode());
      out = small.resolve("run");
      Files.write(small.resolve("ballast"), new byte[BALLAST]);
      try (CommandLineProcess process = CommandLineProcess.start(train(rest))) {
        process.assertEnds(6, out + "/checkpoints/step-", "full", "Its last checkpoint is " + out);
      }
      assertEquals(List.of(), leftovers());
      Files.delete(small.resolve("ballast"));
      CommandLineRun resumed = CommandLineRun.of("train", "--resume=" + out, "--quiet");
      assertEquals(0, resumed.exitCode(), resumed.err());
      assertTrue(resumed.err().contains("goes on after step"), resumed.err());
      assertEquals(KilledRuns.result(whole), KilledRuns.result(out));
    } finally {
      assertEquals(0, run("umount", small.toString()));
    }
  }

  private static String[] with(String[] arguments, String lastOut) {
    return Stream.concat(
            Stream.of(arguments).filter(each -> !each.startsWith("--out")), Stream.of(lastOut))
        .toArray(String[]::new);
  }

  private List<Path> leftovers() throws Exception {
    try (Stream<Path> files = Files.walk(out)) {
      return files.filter(WholeFile::isLeftover).toList();
    }
  }

  @Test
  void theSecondProcessInARunsFolderIsRefusedWithThePidOfTheFirst() throws Exception {
    String[] endless = train("--data=" + data, "--epochs=10000");
    try (CommandLineProcess first = CommandLineProcess.start(endless)) {
      first.await(out.resolve("metrics.jsonl"));
      String holder = "process " + first.pid() + " writes into";
      try (CommandLineProcess second =
          CommandLineProcess.start("train", "--resume=" + out, "--quiet")) {
        second.assertEnds(2, out.toString(), holder);
      }
      assertTrue(first.isAlive());
      assertTrue(first.kill());
    }
    String[] resume = {"train", "--resume=" + out, "--quiet"};
    try (CommandLineProcess killed = CommandLineProcess.start(resume)) {
      long size = Files.size(out.resolve("metrics.jsonl"));
      while (killed.isAlive() && Files.size(out.resolve("metrics.jsonl")) <= size) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      CommandLineRun other = CommandLineRun.of(resume);
      assertEquals(2, other.exitCode(), other.err());
      assertTrue(other.err().contains("process " + killed.pid() + " writes"), other.err());
      killed.signal("TERM");
      assertEquals(143, killed.exitCode(), killed::said);
    }
  }

  /** Nothing has begun while the first holds the folder and reads its data. */
  @Test
  void ofTwoProcessesThatBeginInOneFolderOneIsRefused() throws Exception {
    String[] short1 = train("--data=" + data, "--epochs=2");
    try (CommandLineProcess first = CommandLineProcess.start(short1);
        CommandLineProcess second = CommandLineProcess.start(short1)) {
      assertEquals(2, first.exitCode() + second.exitCode(), first.said() + second.said());
      String said = first.said() + second.said();
      assertEquals(1, said.lines().count(), said);
      assertTrue(said.contains(out.toString()), said);
    }
    assertTrue(Files.exists(out.resolve("summary.json")));
  }
}
