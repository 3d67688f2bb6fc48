package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.scale.LossScaleOptimizer;
import dev.halfcell.autodiff.Gradient;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Dropout;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.train.Execution;
import dev.halfcell.train.Recipe;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainLoop;
import dev.halfcell.train.TrainState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** On every backend a loop that users write themselves takes the steps of a train cell. */
public abstract class OwnLoopContract extends OnBackend {
  private static final Momentum MOMENTUM = new Momentum(0.05, 0.9);
  private static final List<Execution> EXECUTIONS =
      List.of(new Execution.Eager(), new Execution.Planned(PlanOptions.PLAIN));

  private static Cell network() {
    return new WithLossCell(
        new Sequential(
            new Conv2d(2, 3, 5),
            new BatchNorm2d(3),
            new ReLU(),
            new Flatten(),
            new Dropout(0.25),
            new Dense(3 * 64, 5)),
        new SoftmaxCrossEntropyLoss());
  }

  /** The gradients in two groups, each with an optimizer of its own: the last layer, the rest. */
  private static Recipe twoGroups(Cell net) {
    LossScaleOptimizer body = new LossScaleOptimizer(MOMENTUM);
    LossScaleOptimizer head = new LossScaleOptimizer(MOMENTUM);
    return (step, in) -> {
      Tensor loss = step.forward(net, in.get(0), in.get(1));
      Map<Variable, Gradient> all = body.unscaledGradients(step, body.scaledLoss(step, loss));
      Map<Variable, Gradient> last = new LinkedHashMap<>(all);
      last.keySet().removeIf(parameter -> !parameter.path().text().startsWith("/5/"));
      Map<Variable, Gradient> rest = new LinkedHashMap<>(all);
      rest.keySet().removeAll(last.keySet());
      body.applyGradients(step, rest);
      head.applyGradients(step, last);
      return loss;
    };
  }

  @TestFactory
  final Stream<DynamicTest> twoGroupsOfALoopAreTheStepOfATrainCellOpByOpAndPlanned() {
    return Stream.of(Level.values())
        .flatMap(
            level ->
                Stream.of(DType.FP16, DType.BF16)
                    .map(
                        half ->
                            DynamicTest.dynamicTest(
                                level + " " + half, () -> sameBits(level, half))));
  }

  private void sameBits(Level level, DType half) {
    Map<Variable, Tensor> want = new LinkedHashMap<>();
    for (Execution execution : EXECUTIONS) {
      Cell net = network();
      try (TrainState standard = TrainState.of(net, MOMENTUM, 7);
          TrainState own = TrainState.of(net, MOMENTUM, 7);
          TrainStepCell train =
              Amp.buildTrainNetwork(net, MOMENTUM, level, options(execution, half, standard));
          TrainLoop loop =
              Amp.buildTrainLoop(net, twoGroups(net), level, options(execution, half, own))) {
        for (int i = 0; i < 5; i++) {
          Batch batch = batch(i);
          StepResult result = train.run(batch);
          assertEquals(i != 2, result.applied(), result.toString());
          assertEquals(result, loop.step(batch), "step " + i);
        }
        assertEquals(List.of(), SmallTraining.moved(standard.values(), own.values()));
        if (want.isEmpty()) {
          want.putAll(standard.snapshot(scope()));
        }
        assertEquals(want.keySet(), standard.values().keySet());
        assertEquals(List.of(), SmallTraining.moved(want, standard.values()));
      }
    }
    assertTrue(want.containsKey(Variable.scale()));
  }

  private AmpOptions options(Execution execution, DType half, TrainState state) {
    return AmpOptions.defaults()
        .half(half)
        .backend(backend())
        .execution(execution)
        .state(state)
        .lossScale(LossScale.dynamic().from(256));
  }

  /** The third of them overflows. */
  private Batch batch(int number) {
    Batch batch = SmallTraining.batch(scope(), number, 4);
    if (number == 2) {
      Elements.set(batch.inputs().getFirst().data(), DType.FP32, 0, Double.POSITIVE_INFINITY);
    }
    return batch;
  }
}
