package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Embedding;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.CellPath;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.ParameterGroup;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.Checkpoint;
import dev.halfcell.train.Execution;
import dev.halfcell.train.Inference;
import dev.halfcell.train.Weights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Moving averages of parameters: ema' = decay · ema + (1 − decay) · w', in applied steps alone. */
class MovingAverageTest {
  private static final Execution EAGER = new Execution.Eager();
  private static final Execution PLAIN = new Execution.Planned(PlanOptions.PLAIN);
  private static final double DECAY = 0.75;
  private static final Variable WEIGHT =
      new Variable(Variable.Kind.PARAMETER, new CellPath("/7/weight"));

  private final TensorScope scope = TensorScope.open();

  @TempDir private Path folder;

  @AfterEach
  void close() {
    scope.close();
  }

  private static AmpOptions options(Execution execution) {
    return AmpOptions.defaults().backend(new ReferenceBackend()).execution(execution).ema(DECAY);
  }

  private static TrainStepCell train(AmpOptions options) {
    return train(new Momentum(0.1, 0.9), options);
  }

  private static TrainStepCell train(Optimizer optimizer, AmpOptions options) {
    return Amp.buildTrainNetwork(
        Points.network(), new SoftmaxCrossEntropyLoss(), optimizer, Level.O2, options);
  }

  private static double[] value(TrainStepCell train, Variable variable) {
    return train.state().read(variable).toArray();
  }

  @Test
  void theAverageFollowsWhatEachAppliedStepLeavesEagerlyAndPlanned() {
    try (TrainStepCell eager = train(options(EAGER));
        TrainStepCell plan = train(options(PLAIN))) {
      double[] average = value(plan, WEIGHT);
      assertTrue(Points.sameBits(eager.state().values(), plan.state().values()));
      for (int i = 0; i < 4; i++) {
        Batch batch = Points.batch(scope, i, 8);
        eager.run(batch);
        plan.run(batch);
        double[] weight = value(plan, WEIGHT);
        for (int j = 0; j < average.length; j++) {
          average[j] = (float) (DECAY * average[j] + (1 - DECAY) * weight[j]);
          assertEquals(average[j], value(plan, WEIGHT.average())[j], "step " + i);
        }
      }
      assertTrue(Points.sameBits(eager.state().values(), plan.state().values()));
    }
  }

  /** They would hold a share of the values that were drawn and never trained, for long. */
  @Test
  void averagesStartFromTheWeightsThatAreReadAndStayWhereAStepWasTaken() {
    Path file = folder.resolve("weights.safetensors");
    try (TrainStepCell other = train(options(PLAIN));
        TrainStepCell train = train(options(PLAIN))) {
      other.run(Points.batch(scope, 0, 8));
      Weights.write(other.state(), file);
      Weights.read(train.state(), file);
      assertEquals(box(value(other, WEIGHT)), box(value(train, WEIGHT.average())));
      train.run(Points.batch(scope, 1, 8));
      List<Double> moved = box(value(train, WEIGHT.average()));
      Weights.read(train.state(), file);
      assertEquals(moved, box(value(train, WEIGHT.average())));
    }
  }

  @Test
  void aRefusedStepMovesNoAverage() {
    try (TrainStepCell train = train(options(PLAIN))) {
      train.run(Points.batch(scope, 0, 8));
      double[] before = value(train, WEIGHT.average());
      Batch bad = Points.batch(scope, 1, 8);
      Elements.set(bad.inputs().getFirst().data(), DType.FP32, 0, Double.NaN);
      assertFalse(train.run(bad).applied());
      assertEquals(List.of(box(before)), List.of(box(value(train, WEIGHT.average()))));
    }
  }

  private static List<Double> box(double[] values) {
    return java.util.Arrays.stream(values).boxed().toList();
  }

  @Test
  void aWindowMovesTheAverageWhenItsStepIsTaken() {
    try (TrainStepCell train = train(options(PLAIN).accumulation(2))) {
      double[] start = value(train, WEIGHT);
      train.run(Points.batch(scope, 0, 8));
      assertEquals(box(start), box(value(train, WEIGHT.average())));
      assertTrue(train.run(Points.batch(scope, 1, 8)).applied());
      double expected = (float) (DECAY * start[0] + (1 - DECAY) * value(train, WEIGHT)[0]);
      assertEquals(expected, value(train, WEIGHT.average())[0]);
    }
  }

  /** Lazy Adam moves the row that was looked up; the averages of the others stay theirs. */
  @Test
  void rowsThatWereLookedUpMoveTheirAverages() {
    Cell table = new Embedding(4, 2, OptionalInt.empty(), true, new Initializer.Constant(1));
    Variable rows = new Variable(Variable.Kind.PARAMETER, new CellPath("/embedding_table"));
    Optimizer lazy = new Adam(0.5).onlyRows();
    try (TrainStepCell train =
        Amp.buildTrainNetwork(table, new MSELoss(), lazy, Level.O0, options(PLAIN))) {
      Tensor two = Tensor.of(scope, TensorSpec.of(DType.INT64, 1), 2);
      assertTrue(train.run(two, scope.allocate(TensorSpec.of(DType.FP32, 1, 2))).applied());
      double moved = (float) (DECAY + (1 - DECAY) * value(train, rows)[4]);
      assertTrue(moved < 1);
      assertEquals(
          List.of(1.0, 1.0, 1.0, 1.0, moved, moved, 1.0, 1.0), box(value(train, rows.average())));
    }
  }

  @Test
  void whatIsFrozenHasNoAverage() {
    Optimizer head = new Sgd(0.1).groups(ParameterGroup.of("/0/**").frozen());
    try (TrainStepCell train = train(head, options(PLAIN))) {
      assertTrue(train.run(Points.batch(scope, 0, 8)).applied());
      assertTrue(train.state().values().containsKey(WEIGHT.average()));
      Variable frozen = new Variable(Variable.Kind.PARAMETER, new CellPath("/0/weight"));
      assertFalse(train.state().values().containsKey(frozen.average()));
    }
  }

  @Test
  void inferenceOnAveragesIsThatOfTheirValues() {
    Tensor x = Points.batch(scope, 99, 8).inputs().getFirst();
    try (TrainStepCell train = train(options(PLAIN));
        Inference averaged = train.averagedInference();
        Inference present = train.inference()) {
      for (int i = 0; i < 5; i++) {
        train.run(Points.batch(scope, i, 8));
      }
      double[] got = averaged.run(x).toArray();
      double[] last = present.run(x).toArray();
      Map<Variable, Tensor> values = train.state().snapshot(scope);
      values.forEach(
          (variable, _) -> {
            if (variable.kind() == Variable.Kind.PARAMETER) {
              Tensor average = Objects.requireNonNull(values.get(variable.average()));
              train.state().assign(variable, average);
            }
          });
      assertEquals(box(present.run(x).toArray()), box(got));
      assertFalse(box(last).equals(box(got)));
    }
  }

  @Test
  void aCheckpointHoldsTheAverages() throws IOException {
    Path file = Files.createTempFile("averages", ".safetensors");
    try (TrainStepCell one = train(options(PLAIN));
        TrainStepCell other = train(options(PLAIN).seed(5))) {
      one.run(Points.batch(scope, 0, 8));
      one.run(Points.batch(scope, 1, 8));
      Checkpoint.write(one.state(), file);
      Checkpoint.read(other.state(), file);
      // random ops follow the seed, which stays the state's own; what is read has no part in that
      assertTrue(Points.sameBits(one.state().values(), other.state().values()));
      assertFalse(one.state().read(WEIGHT).sameBits(one.state().read(WEIGHT.average())));
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void withoutTheOptionThereAreNone() {
    AmpOptions none = AmpOptions.defaults().backend(new ReferenceBackend());
    try (TrainStepCell train = train(none)) {
      UsageException e = assertThrows(UsageException.class, train::averagedInference);
      assertTrue(e.problem().fix().contains("ema(decay)"));
    }
    for (double decay : new double[] {0, 1, Double.NaN}) {
      assertThrows(ArgumentException.class, () -> none.ema(decay));
    }
  }
}
