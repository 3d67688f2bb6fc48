package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Adam;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Execution;
import dev.halfcell.train.Recipe;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainLoop;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.TrainStep;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An infinity in one gradient, put there by a recipe that adds an extra input to it. */
class RefusedStepTest {
  private static final TensorSpec GRADIENT = TensorSpec.of(DType.FP32, 16, 16);
  private static final Variable POISONED =
      new Variable(Variable.Kind.PARAMETER, new CellPath("/6/body/weight"));

  @ParameterizedTest
  @CsvSource({"eager, Infinity", "eager, NaN", "plan, Infinity", "plan, -Infinity", "plan, NaN"})
  void movesNothingButTheScaleAndTrainingGoesOn(String mode, double poison) {
    Execution execution =
        mode.equals("eager") ? new Execution.Eager() : new Execution.Planned(PlanOptions.PLAIN);
    Cell net = new WithLossCell(Points.network(), new SoftmaxCrossEntropyLoss());
    Adam optimizer = new Adam(0.01);
    PrecisionPlan plan = Amp.plan(net, Level.O2, AmpOptions.defaults());
    TrainStep step = new TrainStep(net, plan, LossScale.dynamic(), recipe(net, optimizer));
    try (TensorScope scope = TensorScope.open();
        TrainState state = TrainState.of(net, optimizer, 7);
        TrainLoop loop = new TrainLoop(step, state, new ReferenceBackend(), execution)) {
      Tensor extra = scope.allocate(GRADIENT);
      double first = loop.step(batch(scope, extra, 0)).loss();
      loop.step(batch(scope, extra, 1));
      Map<Variable, Tensor> before = state.snapshot(scope);

      Elements.set(extra.data(), DType.FP32, 100, poison);
      StepResult refused = loop.step(batch(scope, extra, 2));
      Elements.set(extra.data(), DType.FP32, 100, 0);

      assertTrue(refused.overflow() && !refused.applied() && refused.lossFinite());
      assertFalse(Double.isFinite(refused.gradientNorm()));
      assertEquals(refused.usedScale() / 2, refused.nextScale());
      Map<Variable, Tensor> after = state.snapshot(scope);
      Set<Variable> may =
          Set.of(Variable.scale(), Variable.seen(), Variable.cleanSteps(), Variable.refused());
      assertEquals(may, Points.moved(before, after));

      double last = Double.NaN;
      for (int i = 3; i < 40; i++) {
        StepResult result = loop.step(batch(scope, extra, i));
        assertTrue(result.applied(), "step " + i);
        last = result.loss();
      }
      assertTrue(last < first / 4, "loss from " + first + " to " + last);
    }
  }

  private static Recipe recipe(Cell net, Adam optimizer) {
    return (step, inputs) -> {
      Tensor loss = step.forward(net, inputs.get(0), inputs.get(1));
      Map<Variable, Tensor> gradients = step.unscaledGradients(loss);
      gradients.computeIfPresent(
          POISONED, (_, gradient) -> step.gradientOps().add(gradient, inputs.get(2)));
      step.applyGradients(optimizer, gradients);
      return loss;
    };
  }

  private static Batch batch(TensorScope scope, Tensor extra, int number) {
    Batch batch = Points.batch(scope, number, 8);
    return new Batch(List.of(batch.inputs().get(0), batch.inputs().get(1), extra), batch.samples());
  }
}
