package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.Reason;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.data.DataSet;
import dev.halfcell.data.Sampler;
import dev.halfcell.disk.Disk;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.AdamW;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Checkpoint;
import dev.halfcell.train.Execution;
import dev.halfcell.train.Progress;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.Trainer;
import dev.halfcell.train.checkpoint.CheckpointFolder;
import dev.halfcell.train.checkpoint.CheckpointNotes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A training that stops anywhere and goes on from a checkpoint ends as if it had not. */
class ResumeTest {
  private static final int EPOCHS = 3;
  private static final Map<String, String> RUN = Map.of();

  @TempDir private Path path;

  /** A way to train; the loss scale starts so high that steps are refused. */
  record Way(Level level, String name, Optimizer optimizer, AmpOptions options) {
    TrainStepCell open() {
      return Amp.buildTrainNetwork(
          Points.network(), new SoftmaxCrossEntropyLoss(), optimizer, level, options);
    }

    @Override
    public String toString() {
      return level + " " + name;
    }
  }

  private static AmpOptions options() {
    return AmpOptions.defaults()
        .backend(new ReferenceBackend())
        .execution(new Execution.Planned(PlanOptions.PLAIN))
        .lossScale(LossScale.dynamic().from(0x1p19).window(2));
  }

  static Stream<Way> ways() {
    Stream<Way> levels =
        Stream.of(Level.O0, Level.O1, Level.O2, Level.O3)
            .flatMap(
                level ->
                    Stream.of(
                        new Way(level, "momentum", new Momentum(0.05, 0.9), options()),
                        new Way(level, "adam", new Adam(0.01), options()),
                        new Way(
                            level,
                            "adamw, windows of 2, averages",
                            new AdamW(0.01, 0.01),
                            options().accumulation(2).ema(0.9))));
    Momentum momentum = new Momentum(0.05, 0.9);
    return Stream.concat(
        levels,
        Stream.of(
            new Way(Level.O2, "rounded by chance", momentum, options().stochasticRounding(true)),
            new Way(
                Level.O3,
                "no masters",
                momentum,
                options().stochasticRounding(true).halfParameters(true))));
  }

  /** Images that follow from their number. */
  private record Images(int size) implements DataSet {
    @Override
    public String name() {
      return "points";
    }

    @Override
    public int classes() {
      return 4;
    }

    @Override
    public List<TensorSpec> sample() {
      try (TensorScope scope = TensorScope.open()) {
        return Points.batch(scope, 0, 4).inputs().stream()
            .map(t -> new TensorSpec(t.dtype(), t.spec().shape().tail()))
            .toList();
      }
    }

    @Override
    public void read(int index, List<Tensor> batch, int row) {
      try (TensorScope scope = TensorScope.open()) {
        Batch four = Points.batch(scope, index / 4, 4);
        for (int part = 0; part < batch.size(); part++) {
          long bytes = batch.get(part).spec().bytes() / batch.get(part).spec().dim(0);
          batch
              .get(part)
              .data()
              .asSlice(row * bytes, bytes)
              .copyFrom(four.inputs().get(part).data().asSlice(index % 4 * bytes, bytes));
        }
      }
    }
  }

  /** A training from new objects: nothing of an earlier one is left but what a file holds. */
  private static final class Training implements AutoCloseable {
    private final TrainStepCell cell;
    private final BatchCursor cursor = new BatchCursor(new Images(20), new Sampler.Shuffled(5), 8);
    private final List<TrainEvent> events = new ArrayList<>();
    private final Trainer trainer;

    Training(Way way) {
      cell = way.open();
      trainer =
          new Trainer(cell.loop(), cursor, way.optimizer().learningRate(), List.of(events::add));
    }

    @Override
    public void close() {
      cursor.close();
      cell.close();
    }
  }

  private CheckpointFolder folder(long step) {
    return new CheckpointFolder(Disk.local(), path.resolve("after-" + step), 2);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void goesOnToTheSameBitsFromWhereverItStopped(Way way) {
    List<Integer> told = new ArrayList<>();
    try (Training whole = new Training(way)) {
      whole
          .trainer
          .pausing(
              progress -> {
                told.add(whole.events.size());
                CheckpointNotes notes = new CheckpointNotes(progress, RUN, Map.of(), Map.of());
                var _ = folder(progress.step()).save(whole.cell.state(), notes);
              })
          .fit(EPOCHS, () -> false);
      assertEquals(
          way.level() != Level.O0,
          steps(whole.events).stream().anyMatch(step -> step.result().overflow()));
      assertTrue(steps(whole.events).stream().anyMatch(step -> step.result().applied()));
      for (int step = 1; step <= told.size(); step++) {
        List<TrainEvent> later = whole.events.subList(told.get(step - 1), whole.events.size());
        resume(way, step, whole, later);
      }
    }
  }

  private void resume(Way way, long step, Training whole, List<TrainEvent> later) {
    try (Training resumed = new Training(way)) {
      Progress progress =
          folder(step).restore(resumed.cell.state(), RUN).orElseThrow().notes().progress();
      assertEquals(step, progress.step());
      assertTrue(resumed.trainer.resume(progress).fit(EPOCHS, () -> false));
      assertTrue(
          Points.sameBits(whole.cell.state().values(), resumed.cell.state().values()),
          () -> "after step " + step);
      int opening = progress.data().sample() > 0 ? 1 : 0;
      assertEquals(texts(later), texts(resumed.events.subList(opening, resumed.events.size())));
    }
  }

  private static List<TrainEvent.StepTaken> steps(List<TrainEvent> events) {
    return events.stream()
        .filter(TrainEvent.StepTaken.class::isInstance)
        .map(TrainEvent.StepTaken.class::cast)
        .toList();
  }

  private static List<String> texts(List<TrainEvent> events) {
    return events.stream()
        .map(event -> event.toString().replaceAll("([mM]illiseconds|seconds)=[^,\\]]+", ""))
        .toList();
  }

  /** Own loops may stop between the micro-batches of a window. */
  @Test
  void goesOnWithinAWindow() {
    Way way = new Way(Level.O2, "windows", new Adam(0.01), options().accumulation(3).ema(0.9));
    Path file = path.resolve("window.safetensors");
    try (TrainStepCell whole = way.open();
        TrainStepCell resumed = way.open();
        TensorScope scope = TensorScope.open()) {
      for (int i = 0; i < 9; i++) {
        whole.run(Points.batch(scope, i, 8));
        if (i == 4) {
          Checkpoint.write(whole.state(), file);
        }
      }
      Checkpoint.read(resumed.state(), file);
      assertEquals(2, resumed.loop().microBatches());
      for (int i = 5; i < 9; i++) {
        resumed.run(Points.batch(scope, i, 8));
      }
      assertTrue(Points.sameBits(whole.state().values(), resumed.state().values()));
    }
  }

  /** Dropout is drawn by the number of a sample, which the cell counts. */
  @Test
  void samplesThatTheCellNumbersAreNumberedOn() {
    Way way = new Way(Level.O2, "numbered", new Momentum(0.05, 0.9), options());
    Path file = path.resolve("numbered.safetensors");
    try (TrainStepCell whole = way.open();
        TrainStepCell resumed = way.open();
        TensorScope scope = TensorScope.open()) {
      Tensor[] in = Points.batch(scope, 1, 8).inputs().toArray(Tensor[]::new);
      for (int i = 0; i < 6; i++) {
        if (i == 3) {
          Checkpoint.write(whole.state(), file);
        }
        whole.run(in);
      }
      Checkpoint.read(resumed.state(), file);
      for (int i = 3; i < 6; i++) {
        resumed.run(in);
      }
      assertTrue(Points.sameBits(whole.state().values(), resumed.state().values()));
      assertEquals(48, resumed.loop().own().read(Variable.samples()).item());
    }
  }

  @Test
  void aDemotedCellStaysDemoted() {
    LossScale high = LossScale.fixed(0x1p30);
    Way way =
        new Way(
            Level.O2, "demoted", new Momentum(0.05, 0.9), options().lossScale(high).demotion(1, 1));
    try (Training whole = new Training(way);
        Training resumed = new Training(way)) {
      assertFalse(whole.trainer.fit(EPOCHS, () -> steps(whole.events).size() == 4));
      CheckpointNotes notes =
          new CheckpointNotes(whole.trainer.progress(), RUN, Map.of(), Map.of());
      var _ = folder(4).save(whole.cell.state(), notes);
      Progress progress =
          folder(4).restore(resumed.cell.state(), RUN).orElseThrow().notes().progress();
      assertTrue(
          resumed.cell.plan().cells().values().stream()
              .anyMatch(decision -> decision.because() instanceof Reason.Demoted));
      assertEquals(whole.cell.plan(), resumed.cell.plan());
      assertTrue(whole.trainer.fit(EPOCHS, () -> false));
      assertTrue(resumed.trainer.resume(progress).fit(EPOCHS, () -> false));
      assertTrue(Points.sameBits(whole.cell.state().values(), resumed.cell.state().values()));
    }
  }
}
