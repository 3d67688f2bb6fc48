package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.cli.MeasuredProgram.Measured;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What a process holds at most (VmHWM) is what was estimated before it trained. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("process")
final class MemoryEstimateTest {
  private static final double LEAST = 0.4;
  private static final double MOST = 1.10;
  private static final int RANDOM = 50;
  private static final long SEED = Long.getLong("halfcell.memory.seed", 1);

  private final List<String> outside = new ArrayList<>();
  private Path folder = Path.of("");
  private int runs;

  @BeforeAll
  void writeData(@TempDir Path all) throws IOException {
    folder = all;
    var _ = TinyFashion.write(Files.createDirectory(folder.resolve("data")), 300, 70);
  }

  /** Prints and returns a line, and remembers where the estimate does not hold. */
  private String measure(String name, String... arguments) throws Exception {
    return measure(folder.resolve("data"), name, arguments);
  }

  private String measure(Path data, String name, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("--device=cpu", "--quiet"));
    all.add("--data=" + data);
    all.addAll(List.of(arguments));
    Measured measured = MeasuredProgram.train(folder.resolve("run" + runs++), all);
    assertEquals(0, measured.code(), measured::output);
    String line =
        String.format(
            Locale.ROOT,
            "%-60s peak %6d MiB, estimate %6d MiB, ratio %.3f",
            name,
            measured.peak() >> 20,
            measured.estimate() >> 20,
            measured.ratio());
    System.out.println(line);
    if (measured.ratio() < LEAST || measured.ratio() > MOST) {
      outside.add(line);
    }
    return line;
  }

  @Test
  void aRunHoldsWhatWasEstimated() throws Exception {
    measure("lenet5", "lenet5", "--steps=2");
    measure("mlp at O0", "mlp", "--steps=2", "--level=O0");
    assertEquals(List.of(), outside);
  }

  @Test
  void aRunThatNeedsMoreThanItsLimitIsRefusedWithFiguresBeforeItBegins() throws Exception {
    Path out = folder.resolve("refused");
    Measured refused =
        MeasuredProgram.train(
            out, List.of("resnet20", "--memory-limit=200M", "--data=" + folder.resolve("data")));
    assertEquals(7, refused.code(), refused.output());
    assertTrue(
        refused.output().contains("at most 200.0 MiB, the limit of the run"), refused::output);
    assertTrue(refused.output().contains("activations"), refused::output);
    assertTrue(!Files.exists(out.resolve("plan.txt")), "nothing was begun");
  }

  @Test
  @Tag("slow")
  void networksOfTheZooHoldWhatWasEstimated() throws Exception {
    List<String> table = new ArrayList<>();
    for (NetworkDefinition network : Networks.all()) {
      for (String level : List.of("O0", "O2")) {
        String name = network.name() + " at " + level;
        String how = "--level=" + level;
        table.add(measure(name, network.name(), "--steps=2", how, "--half=bf16"));
      }
    }
    Files.write(Files.createDirectories(Path.of("target")).resolve("memory-of-the-zoo.txt"), table);
    assertEquals(List.of(), outside);
  }

  /** Of Fashion-MNIST's size and packed as it is: what unpacking takes is not kept. */
  @Test
  @Tag("slow")
  void runsOnAWholeDataSetHoldWhatWasEstimated() throws Exception {
    Path whole = Files.createDirectory(folder.resolve("whole"));
    var _ = TinyFashion.writePacked(whole, 60_000, 10_000);
    Path changed = folder.resolve("augmented.yaml");
    Files.writeString(
        changed,
        "dataset: {config: {augmentations: [{augmentation: RandomCrop, padding: 4},"
            + " RandomHorizontalFlip, {augmentation: CutOut, length: 8}]}}");
    for (String network : List.of("lenet5", "resnet20")) {
      measure(whole, network + " at O0, all data", network, "--steps=20", "--level=O0");
      String name = network + " at O2, all data, augmented";
      measure(whole, name, network, "--steps=20", "--level=O2", "--config=" + changed);
    }
    assertEquals(List.of(), outside);
  }

  @Test
  @Tag("slow")
  void randomNetworksHoldWhatWasEstimated() throws Exception {
    for (long seed = SEED; seed < SEED + RANDOM; seed++) {
      Path job = folder.resolve("job" + seed + ".json");
      Files.writeString(job, RandomNetwork.specification(seed));
      measure("seed " + seed + ": " + summaryOf(job), "--config=" + job);
    }
    assertEquals(List.of(), outside);
  }

  private static String summaryOf(Path job) throws IOException {
    String text = Files.readString(job);
    long cells = text.split("\"cell\"", -1).length - 1L;
    String level = text.replaceAll("(?s).*\"level\": \"(\\w+)\", \"half\": \"(\\w+)\".*", "$1 $2");
    String batch = text.replaceAll("(?s).*\"batchSize\": (\\d+).*", "$1");
    return cells + " cells, " + level + ", batches of " + batch;
  }
}
