package dev.halfcell.amp.precision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.LayerNorm;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import org.junit.jupiter.api.Test;

/** What two plans treat differently. */
final class PlanDiffTest {
  private static final PrecisionOptions DEFAULTS = PrecisionOptions.defaults();

  private static PrecisionPlan plan(Level level, PrecisionOptions options) {
    Cell net = new Sequential(new Dense(4, 4), new LayerNorm(4), new ReLU());
    return PrecisionPlan.of(net, level, options);
  }

  @Test
  void cellsAreNamedWithBothTreatmentsAndReasons() {
    PrecisionOptions listed = DEFAULTS.lists(l -> l.deny("Exp"));
    PlanDiff diff = PlanDiff.of(plan(Level.O1, listed), plan(Level.O3, DEFAULTS));
    assertEquals(
        """
        cell  class                     level O1                        level O3
        /     Sequential                per op, leaves fp32 (level O1)  fp16 throughout, leaves fp32 (level O3)
        /0    Dense                     fp16 (Dense gains from half)    fp16 throughout (level O3)
        /1    LayerNorm                 fp32 (LayerNorm needs fp32)     fp16 throughout (level O3)
        /2    ReLU                      per op (level O1)               fp16 throughout (level O3)
        op Exp: deny list, in the first plan alone
        4 of 4 cells differ
        """,
        diff.text());
  }

  @Test
  void whatOnlyTheSecondPlanListsIsSaidToo() {
    PrecisionOptions listed = DEFAULTS.lists(l -> l.allow("Exp"));
    PlanDiff diff = PlanDiff.of(plan(Level.O2, DEFAULTS), plan(Level.O2, listed));
    assertEquals(
        "op Exp: allow list, in the second plan alone\n0 of 4 cells differ\n", diff.text());
  }

  @Test
  void aPlanDoesNotDifferFromItself() {
    PlanDiff diff = PlanDiff.of(plan(Level.O2, DEFAULTS), plan(Level.O2, DEFAULTS));
    assertEquals("0 of 4 cells differ\n", diff.text());
  }

  @Test
  void theReasonAloneIsNoDifference() {
    PrecisionOptions same = DEFAULTS.castModelType(DType.FP32);
    assertEquals(0, PlanDiff.of(plan(Level.O2, same), plan(Level.O0, DEFAULTS)).cells().size());
  }

  @Test
  void plansOfTwoNetworksAreNotCompared() {
    PrecisionPlan other = PrecisionPlan.of(new ReLU(), Level.O2, DEFAULTS);
    ArgumentException e =
        assertThrows(ArgumentException.class, () -> PlanDiff.of(plan(Level.O2, DEFAULTS), other));
    assertEquals("cells in one alone: [/0, /1, /2]", e.problem().got());
  }
}
