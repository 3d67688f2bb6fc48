package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.autodiff.Gradient;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Embedding;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.update.RowsRule;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Execution;
import dev.halfcell.train.PrecisionRules;
import dev.halfcell.train.Recipe;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainLoop;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.TrainStep;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What training a table of which few rows are looked up holds on every backend, op by op and as a
 * plan: a gradient that stays rows moves all values of the state as the whole one does, to the bit,
 * and a refused step moves no row.
 */
public abstract class SparseTrainingContract extends OnBackend {
  private static final int VOCABULARY = 23;
  private static final int SAMPLES = 6;
  private static final int WORDS = 4;
  private static final int WIDTH = 5;
  private static final int CLASSES = 4;
  private static final int PADDING = 3;
  private static final int STEPS = 4;
  private static final Variable TABLE =
      new Variable(Variable.Kind.PARAMETER, CellPath.ROOT.child("0").child("embedding_table"));

  private record Training(Level level, Optimizer optimizer, Execution execution) {
    TrainStepCell open(Backend backend, boolean sparse) {
      AmpOptions options =
          AmpOptions.defaults()
              .backend(backend)
              .execution(execution)
              .lossScale(LossScale.dynamic().from(1024));
      return Amp.buildTrainNetwork(
          network(sparse), new SoftmaxCrossEntropyLoss(), optimizer, level, options);
    }
  }

  private static Cell network(boolean sparse) {
    Initializer start = new Initializer.Normal(1);
    return new Sequential(
        new Embedding(VOCABULARY, WIDTH, OptionalInt.of(PADDING), sparse, start),
        new Flatten(),
        new Dense(WORDS * WIDTH, CLASSES));
  }

  private static Stream<Execution> executions() {
    return Stream.of(
        new Execution.Eager(),
        new Execution.Planned(PlanOptions.PLAIN),
        new Execution.Planned(PlanOptions.FULL));
  }

  private static Stream<Training> trainings() {
    return Stream.of(Level.O0, Level.O2)
        .flatMap(
            level ->
                Stream.of(new Sgd(0.5), new Adam(0.05))
                    .flatMap(
                        optimizer ->
                            executions()
                                .map(execution -> new Training(level, optimizer, execution))));
  }

  @TestFactory
  final Stream<DynamicTest> rowsMoveTheStateAsTheWholeGradientDoes() {
    return trainings().map(t -> dynamicTest(t.toString(), () -> sameBits(t)));
  }

  private void sameBits(Training training) {
    try (TensorScope scope = TensorScope.open();
        TrainStepCell rows = training.open(backend(), true);
        TrainStepCell whole = training.open(backend(), false)) {
      Tensor start = scope.copy(rows.state().read(TABLE));
      for (int step = 0; step < STEPS; step++) {
        StepResult got = rows.run(batch(scope, step));
        StepResult want = whole.run(batch(scope, step));
        assertEquals(want.loss(), got.loss());
        assertEquals(want.gradientNorm(), got.gradientNorm(), 1e-6 * want.gradientNorm());
        assertTrue(got.applied());
      }
      Map<Variable, Tensor> got = rows.state().values();
      assertEquals(List.of(), SmallTraining.moved(whole.state().values(), got));
      assertFalse(start.sameBits(rows.state().read(TABLE)));
      boolean alone = training.optimizer() instanceof Sgd;
      assertEquals(alone, movesRowsAlone(rows, batch(scope, 0)));
      assertFalse(movesRowsAlone(whole, batch(scope, 0)));
    }
  }

  @TestFactory
  final Stream<DynamicTest> aLazyOptimizerMovesWhatWasLookedUp() {
    return executions().map(e -> dynamicTest(e.toString(), () -> lazy(e)));
  }

  /**
   * The first step is that of the exact rule, for moments are zero; from the second on rows that
   * are not looked up stay, with their moments, where the exact rule moves them on.
   */
  private void lazy(Execution execution) {
    Adam exact = new Adam(0.05);
    try (TensorScope scope = TensorScope.open();
        TrainStepCell rows =
            new Training(Level.O0, exact.onlyRows(), execution).open(backend(), true);
        TrainStepCell dense =
            new Training(Level.O0, exact.onlyRows(), execution).open(backend(), false);
        TrainStepCell whole = new Training(Level.O0, exact, execution).open(backend(), true)) {
      Stream.of(rows, dense, whole).forEach(each -> each.run(batch(scope, 0)));
      assertEquals(List.of(), SmallTraining.moved(whole.state().values(), rows.state().values()));
      Map<Variable, Tensor> before = rows.state().snapshot(scope);
      Batch second = batch(scope, 1);
      Stream.of(rows, dense, whole).forEach(each -> each.run(second));
      assertEquals(List.of(), SmallTraining.moved(whole.state().values(), dense.state().values()));
      Set<Integer> looked = words(second);
      for (Variable part :
          List.of(TABLE, TABLE.slot("first_moment"), TABLE.slot("second_moment"))) {
        double[] old = SmallTraining.value(before, part).toArray();
        double[] lazy = rows.state().read(part).toArray();
        double[] eager = whole.state().read(part).toArray();
        for (int row = 0; row < VOCABULARY; row++) {
          int i = row * WIDTH;
          assertEquals(looked.contains(row) ? eager[i] : old[i], lazy[i], "row " + row);
        }
      }
      assertTrue(looked.size() < VOCABULARY);
      assertTrue(movesRowsAlone(rows, second));
      assertFalse(movesRowsAlone(dense, second));
    }
  }

  /** The rows that a batch moves: those it looks up, but the padding. */
  private static Set<Integer> words(Batch batch) {
    Set<Integer> words = new HashSet<>();
    for (double word : batch.inputs().getFirst().toArray()) {
      words.add((int) word);
    }
    words.remove(PADDING);
    return words;
  }

  private static boolean movesRowsAlone(TrainStepCell cell, Batch batch) {
    return cell.loop().trace(batch.signature()).nodes().stream()
        .anyMatch(node -> node.op() instanceof RowsRule);
  }

  @TestFactory
  final Stream<DynamicTest> aRowThatIsNotFiniteMovesNoRow() {
    return executions().map(e -> dynamicTest(e.toString(), () -> refused(e)));
  }

  private void refused(Execution execution) {
    Cell net = new WithLossCell(network(true), new SoftmaxCrossEntropyLoss());
    Optimizer optimizer = new Sgd(0.5);
    TrainStep step =
        new TrainStep(net, PrecisionRules.none(), LossScale.dynamic(), poisoned(net, optimizer));
    try (TensorScope scope = TensorScope.open();
        TrainState state = TrainState.of(net, optimizer, 1);
        TrainLoop loop = new TrainLoop(step, state, backend(), execution)) {
      Tensor poison = scope.allocate(TensorSpec.of(DType.FP32, SAMPLES * WORDS, WIDTH));
      assertTrue(loop.step(batch(scope, 0, poison)).applied());
      Map<Variable, Tensor> before = state.snapshot(scope);
      Elements.set(poison.data(), DType.FP32, 1, Double.POSITIVE_INFINITY);
      assertFalse(loop.step(batch(scope, 1, poison)).applied());
      assertTrue(SmallTraining.value(before, TABLE).sameBits(state.read(TABLE)));
      Elements.set(poison.data(), DType.FP32, 1, 0);
      assertTrue(loop.step(batch(scope, 2, poison)).applied());
      assertFalse(SmallTraining.value(before, TABLE).sameBits(state.read(TABLE)));
    }
  }

  /** Adds an input to the rows of the table's gradient. */
  private static Recipe poisoned(Cell net, Optimizer optimizer) {
    return (step, inputs) -> {
      Tensor loss = step.forward(net, inputs.get(0), inputs.get(1));
      Map<Variable, Gradient> gradients = step.gradients(loss);
      gradients.computeIfPresent(
          TABLE,
          (_, gradient) -> gradient.map(rows -> step.gradientOps().add(rows, inputs.get(2))));
      step.apply(optimizer, gradients);
      return loss;
    };
  }

  private static Batch batch(TensorScope scope, int number, Tensor more) {
    Batch batch = batch(scope, number);
    return new Batch(List.of(batch.inputs().get(0), batch.inputs().get(1), more), batch.samples());
  }

  private static Batch batch(TensorScope scope, int number) {
    Generator g = new Generator(number);
    Tensor words =
        Argument.fixed(DType.INT32, Shape.of(SAMPLES, WORDS), Fill.labels(VOCABULARY))
            .tensor(scope, DType.FP32, g);
    Tensor labels =
        Argument.fixed(DType.INT64, Shape.of(SAMPLES), Fill.labels(CLASSES))
            .tensor(scope, DType.FP32, g);
    return new Batch(List.of(words, labels), scope.copy(labels));
  }
}
