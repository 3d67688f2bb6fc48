package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Execution;
import dev.halfcell.train.TrainState;
import java.util.List;
import org.junit.jupiter.api.Test;

class LevelComparisonTest {
  private static final List<TensorSpec> INPUTS =
      List.of(TensorSpec.of(DType.FP32, 8, 16), TensorSpec.of(DType.FP32, 8, 4));
  private static final AmpOptions OPTIONS = AmpOptions.defaults().backend(new ReferenceBackend());

  private static LevelComparison.Training training(AmpOptions options) {
    return new LevelComparison.Training(
        new Dense(16, 4), new MSELoss(), new Momentum(0.1, 0.9), options);
  }

  /** 64 weights and 4 biases; at O2 a step casts both, the data, and what leaves and comes back. */
  @Test
  void parametersSlotsAndGradientsAreFp32AndHalfCostsCopies() {
    LevelComparison found = LevelComparison.of(training(OPTIONS), INPUTS, Level.O0, Level.O2);
    LevelComparison.Row full = found.rows().getFirst();
    LevelComparison.Row half = found.rows().getLast();
    for (LevelComparison.Row row : found.rows()) {
      assertEquals(68 * 4, row.parameters(), row::toString);
      assertEquals(68 * 4, row.slots(), row::toString);
      assertEquals(68 * 4, row.gradients(), row::toString);
      assertTrue(row.peak() > 0 && row.milliseconds().isEmpty(), row::toString);
    }
    assertEquals(0, full.castCopies());
    assertEquals(0, full.casts());
    assertEquals(68 * 2, half.castCopies());
    assertTrue(half.casts() >= 4, half::toString);
    assertTrue(half.activations() > 0);
  }

  @Test
  void anOptimizerWithoutMemoryHasNoSlots() {
    LevelComparison.Training sgd =
        new LevelComparison.Training(new Dense(16, 4), new MSELoss(), new Sgd(0.1), OPTIONS);
    assertEquals(0, LevelComparison.of(sgd, INPUTS, Level.O1).rows().getFirst().slots());
  }

  @Test
  void stepsAreTimedOnRequest() {
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> batch = INPUTS.stream().map(scope::allocate).toList();
      LevelComparison found = LevelComparison.measured(training(OPTIONS), batch, 3, Level.O2);
      assertTrue(found.rows().getFirst().milliseconds().orElseThrow() > 0);
      assertThrows(
          ArgumentException.class,
          () -> LevelComparison.measured(training(OPTIONS), batch, 0, Level.O2));
    }
  }

  @Test
  void theComparisonAsText() {
    LevelComparison found = LevelComparison.of(training(OPTIONS), INPUTS, Level.O0);
    List<String> lines = found.text().lines().toList();
    assertEquals(
        "        level   parameters        slots    gradients  activations  cast copies"
            + "        casts  plan's peak      ms/step",
        lines.getFirst());
    assertTrue(
        lines.get(1).startsWith("           O0          272          272          272"),
        lines.get(1));
    assertTrue(lines.get(1).endsWith(" -"), lines.get(1));
  }

  @Test
  void whatCannotBeComparedIsRefused() {
    assertThrows(ArgumentException.class, () -> LevelComparison.of(training(OPTIONS), INPUTS));
    assertThrows(ArgumentException.class, () -> training(OPTIONS.execution(new Execution.Eager())));
    try (TrainState state = TrainState.of(new Dense(16, 4), new Momentum(0.1, 0.9), 1)) {
      assertThrows(ArgumentException.class, () -> training(OPTIONS.state(state)));
    }
  }
}
