package dev.halfcell.reliability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.data.DataSet;
import dev.halfcell.data.Sampler;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.Accuracy;
import dev.halfcell.train.Execution;
import dev.halfcell.train.Loss;
import dev.halfcell.train.PrecisionRules;
import dev.halfcell.train.Recipe;
import dev.halfcell.train.TrainLoop;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.TrainStep;
import dev.halfcell.train.Trainer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Training that is set up or interrupted in ways that cannot work. */
final class TrainingRowsTest {
  private static TrainStepCell classifier(String level) {
    return Amp.buildTrainNetwork(
        new Dense(2, 2), new SoftmaxCrossEntropyLoss(), new Sgd(0.1), level);
  }

  static HalfCellException trainOnClosedState(String device) {
    Dense net = new Dense(2, 2);
    TrainState state = TrainState.of(net, new Sgd(0.1), 1);
    try (Bench bench = Bench.on(device);
        var train =
            Amp.buildTrainNetwork(
                net,
                new SoftmaxCrossEntropyLoss(),
                new Sgd(0.1),
                Level.O0,
                AmpOptions.defaults().state(state).backend(bench.backend()))) {
      train.run(bench.floats(2, 2), bench.longs(0, 1));
      state.close();
      return Refusal.of(() -> train.run(bench.floats(2, 2), bench.longs(0, 1)), "closed");
    }
  }

  @Test
  @Row("J19")
  void askingForGradientsTwiceGivesThemAgain() {
    try (Bench bench = Bench.on("reference")) {
      Tape tape = new Tape(bench.backend().eager(bench.scope()));
      Tensor x = tape.watchInput(bench.floats(2));
      Tensor y = tape.execute(new Relu(), List.of(x), Bench.PATH).getFirst();
      Tensor seed = bench.floats(2);
      Tensor first = tape.gradients(y, seed).get(x);
      Tensor second = tape.gradients(y, seed).get(x);
      assertTrue(first != null && second != null && first.sameBits(second));
    }
  }

  @Test
  @Row("J20")
  void aSeedHasTheShapeOfItsResult() {
    try (Bench bench = Bench.on("reference")) {
      Tape tape = new Tape(bench.backend().eager(bench.scope()));
      Tensor x = tape.watchInput(bench.floats(2));
      Tensor y = tape.execute(new Relu(), List.of(x), Bench.PATH).getFirst();
      Refusal.of(() -> tape.gradients(y, bench.floats()), "a seed of fp32[2]");
    }
  }

  @Test
  @Row("J22")
  void aParameterIsNotOverwrittenInsideAStep() {
    Dense net = new Dense(2, 2);
    Sgd optimizer = new Sgd(0.1);
    try (Bench bench = Bench.on("reference");
        TrainState state = TrainState.of(net, optimizer, 1)) {
      Variable weight =
          state.values().keySet().stream()
              .filter(v -> v.path().text().endsWith("weight"))
              .findFirst()
              .orElseThrow();
      Recipe meddling =
          (step, inputs) -> {
            Tensor loss =
                step.ops().softmaxCrossEntropy(step.forward(net, inputs.get(0)), inputs.get(1));
            state.assign(weight, bench.floats(2, 2));
            step.applyGradients(optimizer, step.unscaledGradients(loss));
            return loss;
          };
      TrainStep step = new TrainStep(net, PrecisionRules.none(), LossScale.none(), meddling);
      try (TrainLoop loop = new TrainLoop(step, state, bench.backend(), new Execution.Eager())) {
        Batch batch = new Batch(List.of(bench.floats(2, 2), bench.longs(0, 1)), bench.longs(0, 1));
        Refusal.of(() -> loop.step(batch), "TrainState", "one thread at a time");
      }
    }
  }

  @Test
  @Row("J24")
  void aParameterBelongsToOneOptimizerAndMovesOnce() {
    Dense net = new Dense(2, 2);
    Recipe two =
        (step, inputs) -> {
          Tensor loss =
              step.ops().softmaxCrossEntropy(step.forward(net, inputs.get(0)), inputs.get(1));
          Map<Variable, Tensor> gradients = step.unscaledGradients(loss);
          step.applyGradients(new Sgd(0.1), gradients);
          step.applyGradients(new Sgd(0.2), gradients);
          return loss;
        };
    refusedRecipe(net, two, "/weight");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE, 11, Integer.MAX_VALUE})
  @Row("J28")
  void batchSizesThatMakeNoBatchAreRefused(int batchSize) {
    Refusal.of(
        () -> new BatchCursor(new Points(10), new Sampler.InOrder(), batchSize),
        "batch size",
        String.valueOf(batchSize));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  @Row("J28")
  void thereIsAtLeastOneEpoch(int epochs) {
    try (var train = classifier("O0");
        var cursor = new BatchCursor(new Points(10), new Sampler.InOrder(), 5)) {
      Trainer trainer = trainer(train, cursor);
      Refusal.of(() -> trainer.fit(epochs, () -> false), "epochs", String.valueOf(epochs));
    }
  }

  @Test
  @Row("J29")
  void anEmptyDataSetTrainsNothing() {
    Refusal.of(() -> new BatchCursor(new Points(0), new Sampler.InOrder(), 1), "one sample", "0");
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
  @Row("J33")
  void dataThatIsNotFiniteEndsTheTraining(double poison) {
    try (var train = classifier("O2");
        var cursor = new BatchCursor(new Points(40, poison), new Sampler.InOrder(), 1)) {
      NonFiniteException e =
          assertThrows(NonFiniteException.class, () -> trainer(train, cursor).fit(1, () -> false));
      assertEquals("step 25", e.problem().where());
      assertTrue(e.problem().got().contains("input at (batch)/0"), e.getMessage());
    }
  }

  @Test
  @Row("J42")
  void oneBadGradientAmongTwentyHoldsThemAll() {
    Cell[] layers = IntStream.range(0, 10).mapToObj(_ -> new Dense(2, 2)).toArray(Cell[]::new);
    Cell net = new Sequential(layers);
    try (Bench bench = Bench.on("cpu");
        var train = Amp.buildTrainNetwork(net, new SoftmaxCrossEntropyLoss(), new Sgd(0.1), "O2");
        TensorScope scope = TensorScope.open()) {
      Tensor data = bench.floats(2, 2);
      train.run(data, bench.longs(0, 1));
      Map<Variable, Tensor> before = train.state().snapshot(scope);
      Elements.set(data.data(), DType.FP32, 1, 6e4);
      Elements.set(data.data(), DType.FP32, 2, Double.POSITIVE_INFINITY);
      var result = train.run(data, bench.longs(0, 1));
      assertTrue(result.overflow());
      assertEquals(result.usedScale() / 2, result.nextScale());
      before.forEach(
          (variable, value) -> {
            if (variable.guarded()) {
              assertTrue(value.sameBits(train.state().read(variable)), variable.toString());
            }
          });
    }
  }

  @Test
  @Row("J44")
  void oneLossIsUnscaledOnceAndAStepAppliesGradients() {
    Dense net = new Dense(2, 2);
    Recipe twice =
        (step, inputs) -> {
          Tensor loss =
              step.ops().softmaxCrossEntropy(step.forward(net, inputs.get(0)), inputs.get(1));
          step.unscaledGradients(loss);
          step.applyGradients(new Sgd(0.1), step.unscaledGradients(loss));
          return loss;
        };
    refusedRecipe(net, twice, "the same loss again");
    Recipe never =
        (step, inputs) ->
            step.ops().softmaxCrossEntropy(step.forward(net, inputs.get(0)), inputs.get(1));
    refusedRecipe(net, never, "applyGradients");
    Recipe early =
        (step, inputs) -> {
          Tensor loss = step.ops().softmaxCrossEntropy(inputs.get(0), inputs.get(1));
          step.applyGradients(new Sgd(0.1), step.unscaledGradients(loss));
          return loss;
        };
    refusedRecipe(net, early, "Call step.forward");
  }

  private static void refusedRecipe(Cell net, Recipe recipe, String hint) {
    try (Bench bench = Bench.on("reference");
        TrainState state = TrainState.of(net, new Sgd(0.1), 1);
        TrainLoop loop =
            new TrainLoop(
                new TrainStep(net, PrecisionRules.none(), LossScale.none(), recipe),
                state,
                bench.backend(),
                Execution.planned())) {
      Batch batch = new Batch(List.of(bench.floats(2, 2), bench.longs(0, 1)), bench.longs(0, 1));
      assertInstanceOf(UsageException.class, Refusal.of(() -> loop.step(batch), hint));
    }
  }

  @Test
  @Row("J50")
  void aNetworkTrainsOnlyWithParametersAndAScalarLoss() {
    try (Bench bench = Bench.on("reference");
        var none =
            Amp.buildTrainNetwork(new ReLU(), new SoftmaxCrossEntropyLoss(), new Sgd(0.1), "O0");
        var noLoss = Amp.buildTrainNetwork(new Dense(2, 2), new Sgd(0.1), "O0")) {
      Refusal.of(() -> none.run(bench.floats(2, 2), bench.longs(0, 1)), "with parameters");
      Refusal.of(() -> noLoss.run(bench.floats(2, 2)), "a scalar loss", "fp32[2, 2]");
    }
  }

  @Test
  @Row("J51")
  void aClosedTrainCellTakesNoStep() {
    try (Bench bench = Bench.on("reference")) {
      TrainStepCell train = classifier("O0");
      train.run(bench.floats(2, 2), bench.longs(0, 1));
      train.close();
      Refusal.of(() -> train.run(bench.floats(2, 2), bench.longs(0, 1)), "closed");
    }
  }

  @Test
  @Row("J51")
  void twoThreadsDoNotTrainOneModel() throws InterruptedException {
    try (Bench bench = Bench.on("cpu");
        var train =
            Amp.buildTrainNetwork(
                new Dense(512, 512), new SoftmaxCrossEntropyLoss(), new Sgd(0.1), "O0")) {
      Tensor data = bench.floats(256, 512);
      Tensor labels = bench.longs(new double[256]);
      Batch batch = new Batch(List.of(data, labels), bench.longs(new double[256]));
      train.run(batch);
      List<UsageException> thrown = new CopyOnWriteArrayList<>();
      Runnable steps =
          () -> {
            for (int i = 0; i < 50; i++) {
              try {
                train.run(batch);
              } catch (UsageException e) {
                thrown.add(e);
              }
            }
          };
      Thread first = Thread.ofPlatform().name("first").start(steps);
      Thread second = Thread.ofPlatform().name("second").start(steps);
      first.join();
      second.join();
      assertTrue(
          thrown.stream()
              .allMatch(
                  e ->
                      e.problem().message().contains("first")
                          && e.problem().message().contains("second")),
          thrown.toString());
      assertEquals(101 - thrown.size(), train.state().read(Variable.seen()).item());
    }
  }

  @Test
  @Row("J53")
  void whatAListenerThrowsEndsTheTraining() {
    IllegalStateException cause = new IllegalStateException("the listener's own");
    try (var train = classifier("O0");
        var cursor = new BatchCursor(new Points(10), new Sampler.InOrder(), 5)) {
      Trainer trainer =
          new Trainer(
              train.loop(),
              cursor,
              new Schedule.Constant(0.1),
              List.of(
                  _ -> {
                    throw cause;
                  }));
      assertSame(
          cause, assertThrows(IllegalStateException.class, () -> trainer.fit(1, () -> false)));
      assertTrue(train.run(cursor.next()).applied(), "and the train cell works on");
    }
  }

  @Test
  @Row("J62")
  void aMetricOfNothingIsNoNumber() {
    Refusal.of(new Accuracy()::value, "at least one sample");
    Refusal.of(new Loss(new SoftmaxCrossEntropyLoss())::value, "at least one sample");
  }

  @Test
  @Row("J64")
  void twoTrainingsInOneProcessDoNotMeet() {
    try (Bench bench = Bench.on("cpu");
        var backend = Backends.open("cpu");
        var one = onBackend(backend);
        var two = onBackend(backend)) {
      double first = one.run(bench.floats(2, 2), bench.longs(0, 1)).loss();
      assertEquals(first, two.run(bench.floats(2, 2), bench.longs(0, 1)).loss());
    }
  }

  private static TrainStepCell onBackend(Backend backend) {
    return Amp.buildTrainNetwork(
        new Dense(2, 2),
        new SoftmaxCrossEntropyLoss(),
        new Sgd(0.1),
        Level.O0,
        AmpOptions.defaults().backend(backend));
  }

  private static Trainer trainer(TrainStepCell train, BatchCursor cursor) {
    return new Trainer(train.loop(), cursor, new Schedule.Constant(0.1), List.of());
  }

  /** Points in the plane, some of which may not be finite. */
  private record Points(int size, double first) implements DataSet {
    Points(int size) {
      this(size, 0.5);
    }

    @Override
    public String name() {
      return "points";
    }

    @Override
    public int classes() {
      return 2;
    }

    @Override
    public List<TensorSpec> sample() {
      return List.of(TensorSpec.of(DType.FP32, 2), TensorSpec.of(DType.INT64));
    }

    @Override
    public void read(int index, List<Tensor> batch, int row) {
      Elements.set(batch.get(0).data(), DType.FP32, 2L * row, first);
      Elements.set(batch.get(0).data(), DType.FP32, 2L * row + 1, index % 2);
      Elements.set(batch.get(1).data(), DType.INT64, row, index % 2);
    }
  }
}
