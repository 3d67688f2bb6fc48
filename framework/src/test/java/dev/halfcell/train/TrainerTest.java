package dev.halfcell.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.data.DataSet;
import dev.halfcell.data.Sampler;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.update.Plateau;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.listener.BestEpoch;
import dev.halfcell.train.listener.EarlyStopping;
import dev.halfcell.train.listener.Monitor;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainerTest {
  private static final Schedule RATE = new Schedule.WarmUp(4, new Schedule.Constant(0.5));

  /** Points on a line, told apart by their sign, each of which takes some milliseconds to read. */
  private record Signs(int size, int delay) implements DataSet {
    @Override
    public String name() {
      return "signs";
    }

    @Override
    public int classes() {
      return 2;
    }

    @Override
    public List<TensorSpec> sample() {
      return List.of(TensorSpec.of(DType.FP32, 1), TensorSpec.of(DType.INT64));
    }

    @Override
    public void read(int index, List<Tensor> batch, int row) {
      long end = System.nanoTime() + delay * 1_000_000L;
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      Elements.set(batch.get(0).data(), DType.FP32, row, index % 2 == 0 ? 1 + index : -1 - index);
      Elements.set(batch.get(1).data(), DType.INT64, row, index % 2);
    }
  }

  private final List<TrainEvent> events = new ArrayList<>();
  private int delay;

  private boolean fit(int epochs, BooleanSupplier stop) {
    return fit(epochs, stop, RATE, Accumulation.none());
  }

  private boolean fit(int epochs, BooleanSupplier stop, Schedule rate, Accumulation window) {
    try (Training training = new Training(rate, window, 3, delay)) {
      boolean completed = training.trainer(events::add).fit(epochs, stop);
      if (completed) {
        assertEquals(Map.of("accuracy", 1.0), training.evaluate(3, new Accuracy()));
      }
      return completed;
    }
  }

  /** All that a training is made of, anew. */
  private static final class Training implements AutoCloseable {
    private final Cell backbone = new Sequential(new Dense(1, 2));
    private final Cell net = new WithLossCell(backbone, new SoftmaxCrossEntropyLoss());
    private final Signs data;
    private final BatchCursor cursor;
    private final Schedule rate;
    private final TrainState state;
    private final TrainLoop loop;

    Training(Schedule rate, Accumulation window, long seed, int delay) {
      this(rate, window, seed, delay, new ReferenceBackend());
    }

    Training(Schedule rate, Accumulation window, long seed, int delay, Backend backend) {
      this.rate = rate;
      this.data = new Signs(10, delay);
      this.cursor = new BatchCursor(data, new Sampler.Shuffled(3), 4);
      Momentum optimizer = new Momentum(rate, 0.9, false, 0);
      Recipe recipe = Recipe.standard(net, optimizer);
      TrainStep step = new TrainStep(net, PrecisionRules.none(), LossScale.none(), recipe, window);
      this.state = TrainState.of(net, optimizer, seed);
      this.loop = new TrainLoop(step, state, backend, new Execution.Planned(PlanOptions.PLAIN));
    }

    Trainer trainer(TrainListener... listeners) {
      return new Trainer(loop, cursor, rate, List.of(listeners)).watching(_ -> 1);
    }

    Map<String, Double> evaluate(int batchSize, Metric... metrics) {
      try (Trainer trainer = trainer(_ -> {})) {
        return trainer.evaluate(data, batchSize, metrics);
      }
    }

    @Override
    public void close() {
      loop.close();
      cursor.close();
      state.close();
    }
  }

  @Test
  void listenersThatMoveTheSameValuesAreRefused() {
    Monitor loss = new Monitor(Monitor.TRAIN_LOSS, Monitor.Mode.MIN);
    try (Training training = new Training(RATE, Accumulation.none(), 3, 0)) {
      EarlyStopping early = new EarlyStopping(training.state, loss, 2);
      EarlyStopping late = new EarlyStopping(training.state, loss, 5);
      UsageException e =
          assertThrows(UsageException.class, () -> training.trainer(early, late).close());
      assertTrue(e.problem().where().startsWith("(step)/early_stopping/"), e.problem().where());
      assertEquals("a second one, of EarlyStopping", e.problem().got());
      assertThrows(UsageException.class, () -> training.trainer(early, early).close());
      EarlyStopping named = new EarlyStopping(training.state, "late", loss, 5);
      BestEpoch best = new BestEpoch(training.state, loss, () -> {});
      training.trainer(early, named, best).close();
      training.trainer(late).close();
    }
  }

  @Test
  void measuresWhenAnEpochIsOverAndBeginsNoneThatIsNotWanted() {
    try (Training training = new Training(RATE, Accumulation.none(), 3, 0)) {
      Trainer trainer =
          training
              .trainer(events::add)
              .measuring(epoch -> epoch == 2 ? Map.of("accuracy", 0.5) : Map.of());
      TrainEvent measured = new TrainEvent.EpochMeasured(2, Map.of("accuracy", 0.5));
      assertFalse(trainer.fit(4, () -> events.contains(measured)));
      assertEquals(measured, events.getLast(), "the third epoch is not told to begin");
      assertEquals(1, events.stream().filter(TrainEvent.EpochMeasured.class::isInstance).count());
      assertEquals(
          2, ((TrainEvent.EpochEnded) events.get(events.size() - 2)).epoch(), "told before it");
    }
  }

  /** The reference, which notices what a test says. */
  private static Backend noticing(List<String> notices) {
    ReferenceBackend reference = new ReferenceBackend();
    return (Backend)
        Proxy.newProxyInstance(
            Backend.class.getClassLoader(),
            new Class<?>[] {Backend.class},
            (_, method, arguments) ->
                method.getName().equals("notices") ? notices : method.invoke(reference, arguments));
  }

  @Test
  void tellsOnceWhatTheBackendNotices() {
    List<String> notices = new ArrayList<>(List.of("without a library"));
    try (Training training = new Training(RATE, Accumulation.none(), 3, 0, noticing(notices))) {
      Trainer trainer =
          training.trainer(
              event -> {
                events.add(event);
                if (event instanceof TrainEvent.StepTaken taken && taken.step() == 2) {
                  notices.add("a product refused");
                }
              });
      assertTrue(trainer.fit(2, () -> false));
    }
    assertEquals(new TrainEvent.BackendNoticed("without a library"), events.get(1));
    assertEquals(2, assertInstanceOf(TrainEvent.StepTaken.class, events.get(3)).step());
    assertEquals(new TrainEvent.BackendNoticed("a product refused"), events.get(4));
    assertEquals(2, events.stream().filter(TrainEvent.BackendNoticed.class::isInstance).count());
  }

  @Test
  void tellsWhatHappensAndLearns() {
    assertTrue(fit(4, () -> false));
    List<TrainEvent.StepTaken> steps =
        events.stream()
            .filter(TrainEvent.StepTaken.class::isInstance)
            .map(TrainEvent.StepTaken.class::cast)
            .toList();
    assertEquals(12, steps.size());
    assertEquals(
        List.of(4, 4, 2), steps.subList(0, 3).stream().map(TrainEvent.StepTaken::samples).toList());
    assertEquals(
        List.of(1L, 2L, 3L, 4L),
        steps.subList(0, 4).stream().map(TrainEvent.StepTaken::step).toList());
    assertEquals(0.125, steps.getFirst().learningRate());
    assertEquals(0.5, steps.getLast().learningRate());
    assertEquals(new TrainEvent.EpochStarted(1, 4, 3), events.getFirst());
    TrainEvent.EpochEnded ended = (TrainEvent.EpochEnded) events.getLast();
    assertEquals(4, ended.epoch());
    assertEquals(10, ended.samples());
    assertEquals(0, ended.refused());
    double mean =
        steps.subList(9, 12).stream().mapToDouble(s -> s.result().loss()).average().orElseThrow();
    assertEquals(mean, ended.meanLoss(), 1e-12);
  }

  @Test
  void whatAStepWaitsForItsDataIsPartOfItsTime() {
    delay = 5;
    assertTrue(fit(1, () -> false));
    for (TrainEvent.StepTaken step : steps()) {
      double reading = delay * step.samples();
      assertTrue(step.dataWaitMilliseconds() >= reading, step.toString());
      assertTrue(step.milliseconds() > step.dataWaitMilliseconds(), step.toString());
    }
  }

  private List<TrainEvent.StepTaken> steps() {
    return events.stream()
        .filter(TrainEvent.StepTaken.class::isInstance)
        .map(TrainEvent.StepTaken.class::cast)
        .toList();
  }

  @Test
  void theLastStepOfAnEpochTakesTheBatchesThatAreLeft() {
    assertTrue(fit(4, () -> false, RATE, Accumulation.of(2)));
    assertEquals(new TrainEvent.EpochStarted(1, 4, 2), events.getFirst());
    assertEquals(
        List.of(8, 2, 8, 2, 8, 2, 8, 2),
        steps().stream().map(TrainEvent.StepTaken::samples).toList());
    assertTrue(steps().stream().allMatch(step -> step.result().applied()));
    assertEquals(8, steps().getLast().step());
  }

  @Test
  void aPlateauLowersTheRateBetweenEpochs() {
    Plateau hasty = new Plateau(new Schedule.Constant(0.25), 0.5, 0, 0, 0.125);
    assertTrue(fit(6, () -> false, hasty, Accumulation.none()));
    assertEquals(
        List.of(0.25, 0.25, 0.125, 0.0625, 0.03125, 0.03125),
        steps().stream()
            .filter(step -> step.step() % 3 == 1)
            .map(TrainEvent.StepTaken::learningRate)
            .toList());
  }

  @Test
  void stopsBeforeTheNextStep() {
    assertFalse(fit(4, () -> events.size() >= 3));
    assertEquals(3, events.size());
  }

  @Test
  void noEpochsAreRefused() {
    assertThrows(ArgumentException.class, () -> fit(0, () -> false));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10, 64})
  void onePassMeasuresSeveralMetrics(int batchSize) {
    try (Training training = new Training(RATE, Accumulation.none(), 3, 0)) {
      Cell loss = new SoftmaxCrossEntropyLoss();
      Map<String, Double> found =
          training.evaluate(batchSize, new Accuracy(), Accuracy.top(2), new Loss(loss));
      assertEquals(List.of("accuracy", "top2_accuracy", "loss"), List.copyOf(found.keySet()));
      assertEquals(training.evaluate(4, new Accuracy()).get("accuracy"), found.get("accuracy"));
      assertEquals(training.evaluate(4, new Loss(loss)).get("loss"), found.get("loss"));
      assertEquals(1, found.get("top2_accuracy"));
    }
  }

  @Test
  void metricsThatCannotBeToldApartAreRefused() {
    try (Training training = new Training(RATE, Accumulation.none(), 3, 0)) {
      assertThrows(ArgumentException.class, () -> training.evaluate(4));
      assertThrows(
          ArgumentException.class, () -> training.evaluate(4, new Accuracy(), Accuracy.top(1)));
    }
  }

  @Test
  void predictsWithTheValuesAsTheyAreAtEachCall() {
    try (Training training = new Training(RATE, Accumulation.none(), 3, 0);
        Trainer trainer = training.trainer(_ -> {});
        TensorScope scope = TensorScope.open()) {
      Tensor x = Tensor.of(scope, TensorSpec.of(DType.FP32, 2, 1), 3, -4);
      double before = margin(trainer.predict(x));
      assertTrue(trainer.fit(4, () -> false));
      assertTrue(margin(trainer.predict(x)) > before);
      assertTrue(trainer.predict(x).at(0) > trainer.predict(x).at(1), "3 is of class 0");
      assertTrue(trainer.predict(x).at(2) < trainer.predict(x).at(3), "-4 is of class 1");
    }
  }

  private static double margin(Tensor logits) {
    assertEquals(TensorSpec.of(DType.FP32, 2, 2), logits.spec());
    return logits.at(0) - logits.at(1);
  }

  /** The rate falls when an epoch ends; a pause lies behind that, or before. */
  private static final Plateau HASTY = new Plateau(new Schedule.Constant(0.25), 0.5, 0, 0, 0.125);

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void goesOnFromAnyPauseToTheSameStateAndTheSameEvents(int window, @TempDir Path folder) {
    List<Path> checkpoints = new ArrayList<>();
    List<Progress> pauses = new ArrayList<>();
    List<Integer> told = new ArrayList<>();
    try (Training whole = new Training(HASTY, Accumulation.of(window), 3, 0)) {
      Trainer trainer = whole.trainer(events::add);
      trainer
          .pausing(
              progress -> {
                Path file = folder.resolve(progress.step() + ".safetensors");
                Checkpoint.write(whole.state, file);
                checkpoints.add(file);
                pauses.add(progress);
                told.add(events.size());
              })
          .fit(3, () -> false);
      for (int i = 0; i < pauses.size(); i++) {
        List<TrainEvent> later = new ArrayList<>();
        try (Training resumed = new Training(HASTY, Accumulation.of(window), 77, 0)) {
          Checkpoint.read(resumed.state, checkpoints.get(i));
          Trainer goesOn = resumed.trainer(later::add).resume(pauses.get(i));
          assertEquals(pauses.get(i), goesOn.progress());
          assertTrue(goesOn.fit(3, () -> false));
          whole.state.values().forEach((v, t) -> assertTrue(resumed.state.read(v).sameBits(t)));
        }
        boolean within = pauses.get(i).data().sample() > 0;
        assertEquals(
            texts(events.subList(told.get(i), events.size())),
            texts(later.subList(within ? 1 : 0, later.size())));
      }
    }
    assertEquals(window == 1 ? 9 : 6, pauses.size());
  }

  /** What happened, without the time that it took. */
  private static List<String> texts(List<TrainEvent> events) {
    return events.stream()
        .map(event -> event.toString().replaceAll("([mM]illiseconds|seconds)=[^,\\]]+", ""))
        .toList();
  }
}
