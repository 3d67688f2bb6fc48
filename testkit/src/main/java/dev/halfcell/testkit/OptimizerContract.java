package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.RuleOptimizer;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Checkpoint;
import dev.halfcell.train.Execution;
import dev.halfcell.train.StepResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds for every optimizer on every backend, in groups or not, its gradients bounded or not.
 */
public abstract class OptimizerContract extends OnBackend {
  private static final Execution EAGER = new Execution.Eager();
  private static final Execution PLAIN = new Execution.Planned(PlanOptions.PLAIN);
  private static final Execution FULL = new Execution.Planned(PlanOptions.FULL);
  private static final int ROWS = 6;

  static Stream<OptimizerCase> cases() {
    return OptimizerCase.all();
  }

  private static TrainStepCell train(OptimizerCase each, Backend on, Execution execution) {
    AmpOptions options =
        AmpOptions.defaults()
            .backend(on)
            .execution(execution)
            .lossScale(LossScale.fixed(256))
            .seed(5);
    return Amp.buildTrainNetwork(
        new Sequential(new Dense(3, 7), new ReLU(), new Dense(7, 2)),
        new MSELoss(),
        each.optimizer(),
        Level.O0,
        options);
  }

  /** Inputs and a linear target of them. */
  private Batch batch(int number) {
    double[] x = new double[3 * ROWS];
    Generator generator = new Generator(number);
    Arrays.setAll(x, _ -> generator.normal());
    double[] y = new double[2 * ROWS];
    for (int row = 0; row < ROWS; row++) {
      y[2 * row] = x[3 * row] - 2 * x[3 * row + 1] + 1;
      y[2 * row + 1] = x[3 * row + 2] + 0.5;
    }
    return batch(x, y);
  }

  private Batch batch(double[] x, double[] y) {
    Tensor samples = scope().allocate(TensorSpec.of(DType.INT64, ROWS));
    TensorSpec in = new TensorSpec(DType.FP32, Shape.of(ROWS, 3));
    TensorSpec out = new TensorSpec(DType.FP32, Shape.of(ROWS, 2));
    return new Batch(List.of(Tensor.of(scope(), in, x), Tensor.of(scope(), out, y)), samples);
  }

  private void run(TrainStepCell train, int from, int to) {
    for (int i = from; i < to; i++) {
      assertTrue(train.run(batch(i)).applied(), "step " + i);
    }
  }

  private static List<Variable> differing(TrainStepCell one, TrainStepCell other) {
    assertEquals(one.state().values().keySet(), other.state().values().keySet());
    return SmallTraining.moved(one.state().values(), other.state().values());
  }

  @Test
  final void noOptimizerIsMissing() {
    Set<Class<?>> covered = new HashSet<>();
    OptimizerCase.rules().forEach(rule -> covered.add(rule.getClass()));
    assertEquals(Set.of(RuleOptimizer.class.getPermittedSubclasses()), covered);
  }

  @ParameterizedTest
  @MethodSource("cases")
  final void eagerAndPlainPlanHaveTheSameBits(OptimizerCase each) {
    try (TrainStepCell eager = train(each, backend(), EAGER);
        TrainStepCell plan = train(each, backend(), PLAIN)) {
      for (int i = 0; i < 4; i++) {
        assertEquals(eager.run(batch(i)), plan.run(batch(i)), "step " + i);
      }
      assertEquals(List.of(), differing(eager, plan));
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  final void theFullPlanFollowsTheReference(OptimizerCase each) {
    try (Backend reference = new ReferenceBackend();
        TrainStepCell right = train(each, reference, PLAIN);
        TrainStepCell full = train(each, backend(), FULL)) {
      run(right, 0, 4);
      run(full, 0, 4);
      right.state().values().forEach((variable, want) -> close(variable, want, full));
    }
  }

  private static void close(Variable variable, Tensor want, TrainStepCell full) {
    double[] right = want.toArray();
    double[] got = full.state().read(variable).toArray();
    double largest = Arrays.stream(right).filter(Double::isFinite).map(Math::abs).max().orElse(0);
    for (int i = 0; i < right.length; i++) {
      boolean near =
          Double.isFinite(right[i])
              ? Math.abs(got[i] - right[i]) <= 1e-4 * largest + 1e-7
              : got[i] == right[i];
      assertTrue(near, variable + "[" + i + "]: expected " + right[i] + ", got " + got[i]);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  final void aRefusedStepMovesNothing(OptimizerCase each) {
    try (TrainStepCell train = train(each, backend(), FULL)) {
      run(train, 0, 2);
      Map<Variable, Tensor> before = train.state().snapshot(scope());
      double[] x = new double[3 * ROWS];
      Arrays.fill(x, Double.POSITIVE_INFINITY);
      StepResult refused = train.run(batch(x, new double[2 * ROWS]));
      assertTrue(refused.overflow() && !refused.applied(), refused.toString());
      List<Variable> moved = SmallTraining.moved(before, train.state().values());
      assertEquals(List.of(), moved.stream().filter(Variable::guarded).toList());
      run(train, 2, 3);
      assertFalse(SmallTraining.moved(before, train.state().values()).isEmpty());
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  final void aSavedRunGoesOnWithTheSameBits(OptimizerCase each) throws IOException {
    Path file = Files.createTempFile("optimizer", ".safetensors");
    try (TrainStepCell through = train(each, backend(), FULL);
        TrainStepCell resumed = train(each, backend(), FULL)) {
      run(through, 0, 3);
      Checkpoint.write(through.state(), file);
      run(through, 3, 6);
      Checkpoint.read(resumed.state(), file);
      run(resumed, 3, 6);
      assertEquals(List.of(), differing(through, resumed));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  final void whatIsFrozenStaysAndKeepsNoSlots(OptimizerCase each) {
    Variable bias = new Variable(Variable.Kind.PARAMETER, new CellPath("/0/bias"));
    try (TrainStepCell train = train(each, backend(), FULL)) {
      Tensor before = scope().copy(train.state().read(bias));
      run(train, 0, 3);
      assertEquals(each.grouped(), before.sameBits(train.state().read(bias)));
      long slots =
          train.state().values().keySet().stream()
              .filter(v -> v.kind() == Variable.Kind.SLOT)
              .filter(v -> v.path().text().startsWith("/0/bias/"))
              .count();
      assertEquals(each.grouped() ? 0 : each.rule().slots().size(), slots);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  final void itLearnsALine(OptimizerCase each) {
    try (TrainStepCell train = train(each, backend(), FULL)) {
      Batch batch = batch(1);
      double first = train.run(batch).loss();
      double last = first;
      for (int i = 0; i < 300; i++) {
        last = train.run(batch).loss();
      }
      double share = each.clip().isPresent() ? 0.3 : 0.1;
      assertTrue(last < share * first, "loss from " + first + " to " + last);
    }
  }
}
