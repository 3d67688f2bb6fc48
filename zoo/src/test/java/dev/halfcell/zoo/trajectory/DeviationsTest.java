package dev.halfcell.zoo.trajectory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.optim.Momentum;
import dev.halfcell.train.StepResult;
import dev.halfcell.zoo.Networks;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviationsTest {
  private static final Deviations BOUNDS = new Deviations(0.03, 0.01, Double.POSITIVE_INFINITY);

  private static Deviations of(double firstLoss, double secondLoss, double norm) {
    Trajectory wanted =
        new Trajectory(
            Networks.named("lenet5"),
            new Momentum(0.01, 0.9),
            1,
            0,
            List.of(),
            List.of(2.0, 4.0),
            List.of(10.0, 10.0));
    return Deviations.of(wanted, List.of(step(firstLoss, 10), step(secondLoss, norm)));
  }

  private static StepResult step(double loss, double norm) {
    return new StepResult(loss, false, 1, 1, true, norm);
  }

  @Test
  void areRelativeAndUnsigned() {
    Deviations deviations = of(1, 5, 8);
    assertEquals(0.5, deviations.worstLoss(), 1e-12);
    assertEquals(0.375, deviations.meanLoss(), 1e-12);
    assertEquals(0.2, deviations.worstNorm(), 1e-12);
  }

  @Test
  void theMeasureThatUsesMostOfItsBoundDecides() {
    Deviations.Measure mean = new Deviations(0.02, 0.009, 5).worstWithin(BOUNDS);
    assertEquals(0.009, mean.deviation());
    assertEquals(0.01, mean.bound());
    assertTrue(mean.allowed());
    Deviations.Measure worst = new Deviations(0.031, 0.009, 5).worstWithin(BOUNDS);
    assertEquals(0.031, worst.deviation());
    assertFalse(worst.allowed());
  }

  @Test
  void whatIsNoNumberIsNotAllowed() {
    assertFalse(of(Double.NaN, 4, 10).worstWithin(BOUNDS).allowed());
    assertFalse(of(2, Double.POSITIVE_INFINITY, 10).worstWithin(BOUNDS).allowed());
    assertFalse(of(2, 4, Double.NaN).worstWithin(new Deviations(1, 1, 1)).allowed());
  }
}
