package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How processes end that cannot do what they were asked: one line, a code, what was saved. */
final class EndingsTest {
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
    List<String> little = List.of("-Xmx16m");
    String[] large = {"train", "lenet5", "--data=embedded", "--device=cpu", "--out=" + out};
    try (CommandLineProcess process = CommandLineProcess.start(little, large)) {
      process.assertEnds(7, "too little memory: Java heap space", "-Xmx");
    }
  }
}
