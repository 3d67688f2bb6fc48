package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.train.Execution;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A training whose sums are kept in half does so, or is refused before it begins. */
public abstract class PartialsContract extends OnBackend {
  private static final Execution EAGER = new Execution.Eager();
  private static final Execution PLAIN = new Execution.Planned(PlanOptions.PLAIN);

  private TrainStepCell train(Level level, Execution execution, DType partials) {
    AmpOptions options =
        AmpOptions.defaults()
            .backend(backend())
            .execution(execution)
            .lossScale(LossScale.dynamic().from(256))
            .partials(partials);
    return Amp.buildTrainNetwork(
        SmallTraining.network(),
        new SoftmaxCrossEntropyLoss(),
        new Momentum(0.05, 0.9),
        level,
        options);
  }

  private Batch batch(int number) {
    return SmallTraining.batch(scope(), number, 3);
  }

  @ParameterizedTest
  @EnumSource(names = {"O1", "O2", "O3", "AUTO"})
  final void trainsWithTheSameBitsEagerAndPlannedOrIsRefused(Level level) {
    if (backend().capabilities().partials().contains(DType.FP16)) {
      trains(level);
    } else {
      refused(level, EAGER);
      refused(level, PLAIN);
    }
  }

  private void trains(Level level) {
    try (TrainStepCell eager = train(level, EAGER, DType.FP16);
        TrainStepCell plan = train(level, PLAIN, DType.FP16);
        TrainStepCell usual = train(level, PLAIN, DType.FP32)) {
      for (int i = 0; i < 2; i++) {
        assertEquals(eager.run(batch(i)), plan.run(batch(i)), "step " + i);
        usual.run(batch(i));
      }
      assertEquals(List.of(), SmallTraining.moved(eager.state().values(), plan.state().values()));
      assertFalse(
          SmallTraining.moved(usual.state().values(), plan.state().values()).isEmpty(),
          "no other sums");
    }
  }

  private void refused(Level level, Execution execution) {
    ArgumentException e =
        assertThrows(ArgumentException.class, () -> train(level, execution, DType.FP16));
    Problem problem = e.problem();
    assertEquals("partials", problem.subject());
    assertTrue(problem.expected().contains("fp16"), problem.message());
    assertEquals(backend().name(), problem.got());
    assertTrue(problem.fix().contains("reference"), problem.message());
  }

  @Test
  final void whereNothingIsHalfNothingIsAskedOfABackend() {
    try (TrainStepCell full = train(Level.O0, PLAIN, DType.FP16);
        TrainStepCell usual = train(Level.O0, PLAIN, DType.FP32)) {
      assertEquals(usual.run(batch(0)), full.run(batch(0)));
    }
  }
}
