package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Dropout;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.GradientClip;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.train.Accumulation;
import dev.halfcell.train.Accumulation.OnOverflow;
import dev.halfcell.train.Checkpoint;
import dev.halfcell.train.Execution;
import dev.halfcell.train.StepResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Steps of several micro-batches, of a network with normalisation and dropout. */
public abstract class AccumulationContract extends OnBackend {
  private static final Execution EAGER = new Execution.Eager();
  private static final Execution PLAIN = new Execution.Planned(PlanOptions.PLAIN);
  private static final Execution FULL = new Execution.Planned(PlanOptions.FULL);
  private static final Optimizer MOMENTUM = new Momentum(0.05, 0.9);

  private TrainStepCell train(Optimizer optimizer, Accumulation window, Execution execution) {
    AmpOptions options =
        AmpOptions.defaults()
            .backend(backend())
            .execution(execution)
            .lossScale(LossScale.dynamic().from(256))
            .accumulation(window);
    return Amp.buildTrainNetwork(
        new Sequential(
            new Conv2d(2, 3, 5),
            new BatchNorm2d(3),
            new ReLU(),
            new Flatten(),
            new Dropout(0.25),
            new Dense(3 * 64, 5)),
        new SoftmaxCrossEntropyLoss(),
        optimizer,
        Level.O2,
        options);
  }

  private TrainStepCell train(int microBatches) {
    return train(MOMENTUM, Accumulation.of(microBatches), FULL);
  }

  private Batch batch(int number) {
    return SmallTraining.batch(scope(), number, 4);
  }

  private Batch bad() {
    Batch batch = batch(99);
    Elements.set(batch.inputs().getFirst().data(), DType.FP32, 0, Double.POSITIVE_INFINITY);
    return batch;
  }

  /** The variables that differ, those of the window aside. */
  private static List<Variable> differing(
      Map<Variable, Tensor> before, Map<Variable, Tensor> after) {
    return SmallTraining.moved(before, after).stream()
        .filter(v -> v.kind() != Variable.Kind.WINDOW && v.kind() != Variable.Kind.WINDOW_COUNT)
        .toList();
  }

  private static Map<Variable, Tensor> values(TrainStepCell train) {
    return train.state().values();
  }

  @Test
  final void equalMicroBatchesAreAStepOnTheirMeanGradient() {
    try (TrainStepCell one = train(1);
        TrainStepCell four = train(4)) {
      StepResult single = one.run(batch(1));
      for (int i = 0; i < 3; i++) {
        StepResult waiting = four.run(batch(1));
        assertFalse(waiting.applied() || waiting.overflow(), "micro-batch " + i);
        assertEquals(single.loss(), waiting.loss(), 1e-6);
        assertEquals(i + 1, four.loop().microBatches());
      }
      StepResult step = four.run(batch(1));
      assertTrue(step.applied());
      assertEquals(0, four.loop().microBatches());
      assertEquals(single.loss(), step.loss(), 1e-6);
      assertEquals(single.gradientNorm(), step.gradientNorm(), 1e-6);
      assertEquals(
          List.of(),
          differing(values(one), values(four)).stream()
              .filter(v -> v.kind() != Variable.Kind.STATISTIC)
              .toList());
    }
  }

  @Test
  final void eagerAndPlainPlanHaveTheSameBits() {
    Optimizer clipped = MOMENTUM.clip(GradientClip.byNorm(0.5));
    try (TrainStepCell eager = train(clipped, Accumulation.of(3), EAGER);
        TrainStepCell plan = train(clipped, Accumulation.of(3), PLAIN)) {
      for (int i = 0; i < 7; i++) {
        Batch batch = i == 4 ? bad() : batch(i);
        assertEquals(eager.run(batch), plan.run(batch), "micro-batch " + i);
      }
      assertEquals(List.of(), SmallTraining.moved(values(eager), values(plan)));
    }
  }

  @Test
  final void statisticsFollowEachMicroBatchOnceTheStepIsApplied() {
    Optimizer still = new Sgd(0);
    try (TrainStepCell each = train(still, Accumulation.none(), PLAIN);
        TrainStepCell window = train(still, Accumulation.of(3), PLAIN)) {
      Map<Variable, Tensor> before = window.state().snapshot(scope());
      for (int i = 0; i < 3; i++) {
        assertEquals(List.of(), differing(before, values(window)));
        each.run(batch(i));
        window.run(batch(i));
      }
      assertEquals(
          List.of(Variable.Kind.APPLIED, Variable.Kind.SEEN, Variable.Kind.SCALE),
          differing(values(each), values(window)).stream().map(Variable::kind).distinct().toList());
      assertEquals(
          2,
          differing(before, values(window)).stream()
              .filter(v -> v.kind() == Variable.Kind.STATISTIC)
              .count());
    }
  }

  @Test
  final void aBadMicroBatchCostsTheWindow() {
    try (TrainStepCell train = train(3)) {
      for (int i = 0; i < 3; i++) {
        train.run(batch(i));
      }
      Map<Variable, Tensor> before = train.state().snapshot(scope());
      assertFalse(train.run(batch(3)).overflow());
      assertTrue(train.run(bad()).overflow());
      StepResult refused = train.run(batch(4));
      assertTrue(refused.overflow() && !refused.applied(), refused.toString());
      assertEquals(refused.usedScale() / 2, refused.nextScale());
      List<Variable> moved = differing(before, values(train));
      assertEquals(List.of(), moved.stream().filter(Variable::guarded).toList());
      assertEquals(0, train.loop().microBatches());
      train.run(batch(5));
      train.run(batch(6));
      assertTrue(train.run(batch(7)).applied());
    }
  }

  @Test
  final void aBadMicroBatchCostsItselfIfThatIsAskedFor() {
    Accumulation drop = new Accumulation(3, OnOverflow.DROP_MICRO_BATCH);
    try (TrainStepCell three = train(MOMENTUM, drop, FULL);
        TrainStepCell two = train(2)) {
      three.run(bad());
      three.run(batch(1));
      StepResult mean = three.run(batch(2));
      two.run(batch(1));
      assertTrue(mean.applied() && two.run(batch(2)).applied());
      assertEquals(128, mean.nextScale());
      assertEquals(
          List.of(Variable.Kind.SCALE),
          differing(values(two), values(three)).stream().map(Variable::kind).distinct().toList());
      three.run(bad());
      three.run(bad());
      StepResult none = three.run(bad());
      assertTrue(none.overflow() && !none.applied());
      assertEquals(64, none.nextScale());
    }
  }

  @Test
  final void aShortWindowTakesTheMeanOfWhatItHas() {
    try (TrainStepCell five = train(5);
        TrainStepCell two = train(2)) {
      assertTrue(five.loop().endWindow().isEmpty());
      five.run(batch(1));
      five.run(batch(2));
      StepResult early = five.loop().endWindow().orElseThrow();
      two.run(batch(1));
      assertEquals(two.run(batch(2)), early);
      assertEquals(List.of(), differing(values(two), values(five)));
    }
  }

  @Test
  final void aWindowSavedHalfFullGoesOnWithTheSameBits() throws IOException {
    Path file = Files.createTempFile("window", ".safetensors");
    try (TrainStepCell through = train(3);
        TrainStepCell resumed = train(3)) {
      for (int i = 0; i < 5; i++) {
        through.run(batch(i));
      }
      Checkpoint.write(through.state(), file);
      Checkpoint.read(resumed.state(), file);
      assertEquals(2, resumed.loop().microBatches());
      assertEquals(through.run(batch(5)), resumed.run(batch(5)));
      assertEquals(List.of(), SmallTraining.moved(values(through), values(resumed)));
      assertNotEquals(0, values(through).size());
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
