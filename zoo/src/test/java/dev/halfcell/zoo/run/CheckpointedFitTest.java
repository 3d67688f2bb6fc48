package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.data.DataSet;
import dev.halfcell.data.Sampler;
import dev.halfcell.disk.Disk;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Dropout;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.AdamW;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.Weights;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.job.LogFormat;
import dev.halfcell.zoo.log.BoardReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run that is stopped and goes on leaves the files of one that was not, on the CPU backend. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CheckpointedFitTest {
  private static final int EPOCHS = 2;
  private static final Map<String, String> RUN = Map.of("level", "as it is");

  private final Backend backend = Backends.open("cpu");

  @AfterAll
  void close() {
    backend.close();
  }

  /** A way to train; the loss scale starts so high that steps are refused. */
  record Way(Level level, String name, Optimizer optimizer, AmpOptions options) {
    @Override
    public String toString() {
      return level + " " + name;
    }
  }

  static Stream<Way> ways() {
    AmpOptions usual = AmpOptions.defaults().lossScale(LossScale.dynamic().from(0x1p19).window(2));
    return Stream.of(Level.O0, Level.O1, Level.O2, Level.O3)
        .flatMap(
            level ->
                Stream.of(
                    new Way(level, "momentum", new Momentum(0.05, 0.9), usual),
                    new Way(level, "adam", new Adam(0.01), usual),
                    new Way(
                        level,
                        "adamw, windows of 2, averages",
                        new AdamW(0.01, 0.01),
                        usual.accumulation(2).ema(0.9))));
  }

  private static Cell network() {
    return new Sequential(
        new Conv2d(1, 4, 3),
        new BatchNorm2d(4),
        new ReLU(),
        new Flatten(),
        new Dropout(0.25),
        new Dense(64, 4));
  }

  /** Images of 6x6 numbers that follow from their index. */
  private record Images(int size) implements DataSet {
    @Override
    public String name() {
      return "images";
    }

    @Override
    public int classes() {
      return 4;
    }

    @Override
    public List<TensorSpec> sample() {
      return List.of(TensorSpec.of(DType.FP32, 1, 6, 6), TensorSpec.of(DType.INT64));
    }

    @Override
    public void read(int index, List<Tensor> batch, int row) {
      for (int i = 0; i < 36; i++) {
        double value = (index * 7 + i * index % 5) % 11 / 5.0 - 1;
        Elements.set(batch.get(0).data(), DType.FP32, 36L * row + i, value);
      }
      Elements.set(batch.get(1).data(), DType.INT64, row, index % 4);
    }
  }

  /** Trains in a folder, from its last checkpoint where it has one, and writes the model. */
  private Optional<Path> train(Way way, Path path, boolean goesOn, int mostSteps) {
    int[] asked = {0};
    return train(way, path, goesOn, () -> asked[0]++ == mostSteps);
  }

  private Optional<Path> train(Way way, Path path, boolean goesOn, BooleanSupplier stop) {
    RunFolder folder = new RunFolder(path);
    AmpOptions options = way.options().backend(backend);
    try (TrainStepCell cell =
            Amp.buildTrainNetwork(
                network(), new SoftmaxCrossEntropyLoss(), way.optimizer(), way.level(), options);
        BatchCursor batches = new BatchCursor(new Images(20), new Sampler.Shuffled(5), 8)) {
      CheckpointedFit fit =
          new CheckpointedFit(
              cell,
              batches,
              way.optimizer().learningRate(),
              CheckpointRule.of(JobSpecification.empty().checkpoint()),
              folder.checkpoints(2),
              RUN);
      Optional<Resumption> from = goesOn ? Optional.of(fit.restore(folder)) : Optional.empty();
      try (RunLogs logs = RunLogs.open(folder, List.of(LogFormat.values()), from)) {
        Optional<Path> stopped = fit.fit(EPOCHS, logs, from, _ -> Map.of(), List.of(), stop);
        Weights.write(cell.state(), folder.model());
        return stopped;
      }
    }
  }

  private static List<String> metrics(Path path) throws IOException {
    return Files.readAllLines(path.resolve("metrics.jsonl")).stream()
        .map(line -> line.replaceAll("\"(step|data_wait)_ms\":[^,}]+", ""))
        .toList();
  }

  /** The table without its last two columns, which are times. */
  private static List<String> table(Path path) throws IOException {
    return Files.readAllLines(path.resolve("steps.csv")).stream()
        .map(line -> line.replaceAll("(,[^,]*){2}$", ""))
        .toList();
  }

  /** What TensorBoard draws, but for times. */
  private static Map<String, Map<Long, String>> drawn(Path path) throws IOException {
    Map<String, Map<Long, String>> drawn = BoardReader.drawn(path);
    drawn.keySet().removeAll(Set.of("train/samples_per_second", "train/data_wait_ms"));
    return drawn;
  }

  @ParameterizedTest
  @MethodSource("ways")
  void goesOnToTheSameFiles(Way way, @TempDir Path folder) throws IOException {
    Path whole = Files.createDirectory(folder.resolve("whole"));
    assertEquals(Optional.empty(), train(way, whole, false, -1));
    List<String> expected = metrics(whole);
    for (int step = 1; step < expected.size(); step++) {
      Path parted = Files.createDirectory(folder.resolve("stopped-" + step));
      assertTrue(train(way, parted, false, step).isPresent());
      Files.writeString(
          parted.resolve("metrics.jsonl"),
          "{\"step\": a line that a killed run has begun",
          StandardOpenOption.APPEND);
      assertEquals(Optional.empty(), train(way, parted, true, -1));
      assertEquals(expected, metrics(parted));
      assertEquals(table(whole), table(parted));
      assertEquals(drawn(whole), drawn(parted));
      assertArrayEquals(
          Files.readAllBytes(whole.resolve("model.safetensors")),
          Files.readAllBytes(parted.resolve("model.safetensors")));
    }
  }

  /** Steps that were taken after the last checkpoint are in the logs of both lives. */
  @Test
  void whatARunLoggedBeforeItDiedIsSuperseded(@TempDir Path folder) throws IOException {
    Path whole = Files.createDirectory(folder.resolve("whole"));
    Path died = Files.createDirectory(folder.resolve("died"));
    var _ = train(one(), whole, false, -1);
    var _ = train(one(), died, false, 1);
    BooleanSupplier dying = dyingAtThe(2);
    assertThrows(IllegalStateException.class, () -> train(one(), died, true, dying));
    assertEquals(3, table(died).size(), "the header and two steps");
    assertEquals(Optional.empty(), train(one(), died, true, -1));
    assertEquals(metrics(whole), metrics(died));
    assertEquals(table(whole), table(died));
    assertEquals(drawn(whole), drawn(died));
  }

  private static BooleanSupplier dyingAtThe(int question) {
    int[] asked = {0};
    return () -> {
      if (++asked[0] == question) {
        throw new IllegalStateException("died");
      }
      return false;
    };
  }

  private Way one() {
    return ways().findFirst().orElseThrow();
  }

  /** What was written over the checkpoint of an epoch's end is still there. */
  @Test
  void aRunThatIsStoppedBehindACheckpointWritesItOnce(@TempDir Path folder) throws IOException {
    RunFolder run = new RunFolder(folder);
    BooleanSupplier stop =
        () -> {
          Optional<Path> newest = run.newestCheckpoint();
          newest.ifPresent(CheckpointedFitTest::mark);
          return newest.isPresent();
        };
    Path last = train(one(), folder, false, stop).orElseThrow();
    assertEquals(folder.resolve("checkpoints/step-000000000003.safetensors"), last);
    assertEquals("mark", Files.readString(last));
  }

  private static void mark(Path file) {
    try {
      Files.writeString(file, "mark");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nothing was trained, so nothing is saved; it is still said where the state is. */
  @Test
  void aRunThatGoesOnAndIsStoppedAtOnceHasTheCheckpointThatItCameFrom(@TempDir Path folder)
      throws IOException {
    Path saved = train(one(), folder, false, 2).orElseThrow();
    FileTime then = FileTime.fromMillis(0);
    Files.setLastModifiedTime(saved, then);
    assertEquals(Optional.of(saved), train(one(), folder, true, 0));
    assertEquals(then, Files.getLastModifiedTime(saved));
  }

  @Test
  void aRunWithoutACheckpointBeginsAnew(@TempDir Path folder) throws IOException {
    Path whole = Files.createDirectory(folder.resolve("whole"));
    Path killed = Files.createDirectory(folder.resolve("killed"));
    var _ = train(one(), whole, false, -1);
    Files.writeString(killed.resolve("metrics.jsonl"), "{\"step\":1");
    assertEquals(Optional.empty(), train(one(), killed, true, -1));
    assertEquals(metrics(whole), metrics(killed));
  }

  @Test
  void metricsThatDoNotReachTheCheckpointAreRefused(@TempDir Path folder) throws IOException {
    var _ = train(one(), folder, false, 2);
    Path metrics = folder.resolve("metrics.jsonl");
    List<String> lines = Files.readAllLines(metrics);
    Files.write(metrics, lines.subList(0, 1));
    DataException e = assertThrows(DataException.class, () -> train(one(), folder, true, -1));
    assertTrue(e.problem().expected().startsWith("at least "), e.toString());
    Files.writeString(
        metrics, String.join("\n", lines).replaceFirst("\"step\":2", "\"step\":3") + "\n");
    e = assertThrows(DataException.class, () -> train(one(), folder, true, -1));
    assertEquals("step 2 as the last", e.problem().expected());
  }

  @Test
  void whatIsToBeSaidNamesTheStepTheDamageAndTheEnvironment(@TempDir Path folder)
      throws IOException {
    var _ = train(one(), folder, false, 2);
    Path newest = new RunFolder(folder).checkpoints(2).newest().orElseThrow();
    Files.writeString(newest.resolveSibling("step-000000000009.safetensors"), "torn");
    try (TrainStepCell cell =
        Amp.buildTrainNetwork(
            network(),
            new SoftmaxCrossEntropyLoss(),
            one().optimizer(),
            one().level(),
            one().options().backend(backend))) {
      RunFolder run = new RunFolder(folder);
      Resumption here =
          Resumption.of(
              run.checkpoints(2).restore(cell.state(), RUN), run, Map.of("cpu", "another"));
      assertEquals(2, here.steps());
      assertEquals(3, here.lines().size(), here.lines()::toString);
      assertTrue(here.lines().get(0).startsWith("damaged: " + folder), here.lines()::toString);
      assertEquals("goes on after step 2", here.lines().get(1));
      assertTrue(here.lines().get(2).contains("is another"), here.lines()::toString);
      assertTrue(here.lines().get(2).contains("bits are not promised"), here.lines()::toString);
      List<TrainEvent> past = new ArrayList<>();
      here.tellPast(EPOCHS, 3, 20, List.of(past::add));
      assertEquals(new TrainEvent.EpochStarted(1, EPOCHS, 3), past.getFirst(), "not the 2 taken");
    }
  }

  @Test
  void theEndsOfTheLastTwoEpochsAreKept(@TempDir Path folder) throws IOException {
    var _ = train(one(), folder, false, -1);
    List<Path> checkpoints = Disk.local().list(folder.resolve("checkpoints"));
    assertEquals(
        List.of("step-000000000003.safetensors", "step-000000000006.safetensors"),
        checkpoints.stream().map(file -> String.valueOf(file.getFileName())).toList());
  }
}
