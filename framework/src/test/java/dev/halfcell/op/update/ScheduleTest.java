package dev.halfcell.op.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.tensor.ArgumentException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Rates at their knots; those with digits were computed by a program of its own. */
class ScheduleTest {
  private static final Schedule HALF = new Schedule.Constant(0.5);

  private static void assertRates(Schedule schedule, String steps, String rates) {
    String[] at = steps.split(" ");
    String[] want = rates.split(" ");
    for (int i = 0; i < at.length; i++) {
      String what = schedule + " at " + at[i];
      assertEquals(Double.parseDouble(want[i]), schedule.rate(Long.parseLong(at[i])), 1e-9, what);
    }
  }

  @Test
  void constantAndSteps() {
    assertRates(HALF, "0 1 1000000000000", "0.5 0.5 0.5");
    assertRates(new Schedule.Constant(0), "0", "0");
    assertRates(
        new Schedule.StepDecay(0.8, 3, 0.5), "0 2 3 5 6 30", "0.8 0.8 0.4 0.4 0.2 0.00078125");
    assertRates(
        new Schedule.Piecewise(List.of(0L, 10L, 12L), List.of(0.1, 0.01, 0.001)),
        "0 9 10 11 12 999",
        "0.1 0.1 0.01 0.01 0.001 0.001");
  }

  @Test
  void curves() {
    assertRates(
        new Schedule.Cosine(0.1, 8, 0.01), "0 2 4 8 9 99", "0.1 0.086819805 0.055 0.01 0.01 0.01");
    assertRates(
        new Schedule.Polynomial(0.1, 10, 0.01, 2), "0 1 5 10 11", "0.1 0.0829 0.0325 0.01 0.01");
    assertRates(new Schedule.Polynomial(1, 4, 0, 1), "0 1 2 3 4 5", "1 0.75 0.5 0.25 0 0");
    assertRates(
        new Schedule.Exponential(0.5, 4, 0.9), "0 2 4 6", "0.5 0.474341649 0.45 0.426907484");
    assertRates(
        new OneCycle(1, 20),
        "0 2 5 6 12 19 20 500",
        "0.04 0.371671843 1 0.987464006 0.500002 4e-6 4e-6 4e-6");
  }

  @Test
  void aWarmUpRisesToWhatFollowsIt() {
    assertRates(new Schedule.WarmUp(4, HALF), "0 1 3 4 5", "0.125 0.25 0.5 0.5 0.5");
    Schedule cosine = new Schedule.Cosine(0.1, 8, 0.01);
    assertRates(
        new Schedule.WarmUp(2, cosine), "0 1 2 4 6 10", "0.05 0.1 0.1 0.086819805 0.055 0.01");
    assertRates(new Schedule.Scaled(cosine, 10), "0 8", "1 0.1");
  }

  @Test
  void aPlateauFallsWhenPatienceIsOver() {
    Plateau rule = new Plateau(HALF, 0.1, 1, 0.1, 0.005);
    Plateau.State state = Plateau.State.start();
    double[] metrics = {10, 9.5, 8.9, Double.NaN, 8.5, 8.2, 8.1, 8.1, 0.5, 9, 9};
    double[] factors = {1, 1, 1, 1, 0.1, 0.1, 0.01, 0.01, 0.01, 0.01, 0.005};
    for (int i = 0; i < metrics.length; i++) {
      state = rule.next(state, metrics[i]);
      assertEquals(factors[i], state.factor(), 1e-12, "epoch " + i + ": " + state);
    }
    assertEquals(0.5, state.best());
    assertEquals(0.5, rule.rate(77));
    assertEquals(-2, rule.next(new Plateau.State(1, -1, 0), -2).best());
    assertEquals(-1, rule.next(new Plateau.State(1, -1, 0), -1.05).best());
    assertEquals(List.of(rule), new Schedule.WarmUp(3, rule).plateau().stream().toList());
  }

  private static void assertRefused(String subject, String got, Executable made) {
    ArgumentException e = assertThrows(ArgumentException.class, made);
    assertEquals(subject, e.problem().subject());
    assertEquals(got, e.problem().got());
  }

  @Test
  void ratesThatMakeNoSenseAreRefusedByName() {
    assertRefused("learning rate", "NaN", () -> new Schedule.Constant(Double.NaN));
    assertRefused(
        "learning rate", "Infinity", () -> new Schedule.Constant(Double.POSITIVE_INFINITY));
    assertRefused("learning rate", "-0.1", () -> new Schedule.Constant(-0.1));
    assertRefused("learning rate", "1.0E39", () -> new Schedule.Cosine(1e39, 10, 0));
    assertRefused("last learning rate", "0.2", () -> new Schedule.Cosine(0.1, 10, 0.2));
    assertRefused("steps of a cosine", "0", () -> new Schedule.Cosine(0.1, 0, 0));
    assertRefused("warm-up steps", "0", () -> new Schedule.WarmUp(0, HALF));
    assertRefused("learning-rate factor", "1.5", () -> new Schedule.StepDecay(0.1, 5, 1.5));
    assertRefused("learning-rate factor", "NaN", () -> new Schedule.Scaled(HALF, Double.NaN));
    assertRefused("power of a polynomial", "0.0", () -> new Schedule.Polynomial(0.1, 5, 0, 0));
    assertRefused("share of a cycle that rises", "0.05", () -> new OneCycle(1, 20, 0.05, 25, 1e4));
    assertRefused("end divisor", "0.5", () -> new OneCycle(1, 20, 0.3, 25, 0.5));
    assertRefused("plateau factor", "1.0", () -> new Plateau(HALF, 1, 1, 0.1, 0));
    assertRefused("clip norm", "0.0", () -> new ClipByNorm(0));
    assertRefused("clip value", "NaN", () -> new ClipByValue(Double.NaN));
    assertThrows(ArgumentException.class, () -> new Schedule.Piecewise(List.of(1L), List.of(0.1)));
    assertThrows(
        ArgumentException.class, () -> new Schedule.Piecewise(List.of(0L, 5L), List.of(0.1)));
    assertThrows(
        ArgumentException.class,
        () -> new Schedule.Piecewise(List.of(0L, 5L, 5L), List.of(0.1, 0.1, 0.1)));
  }
}
