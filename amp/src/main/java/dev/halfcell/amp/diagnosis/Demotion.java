package dev.halfcell.amp.diagnosis;

import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.amp.precision.Treatment;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;

/**
 * When a cell is moved to FP32: after it was the first offender of so many steps out of so many.
 * Counted are values that are not finite in the forward pass, and in the backward pass where the
 * loss scale cannot fall any more.
 *
 * @param after how often
 * @param within the number of steps seen among which that has to be
 */
public record Demotion(int after, int within) {
  public Demotion {
    ArgumentException.require(after >= 1, "demotion after", "at least 1 step", after);
    ArgumentException.require(
        within >= after, "demotion within", "at least " + after + " steps, as after", within);
  }

  /**
   * Demands that there are cells to move.
   *
   * @throws ArgumentException where all cells of the plan are FP32 already
   */
  public void require(PrecisionPlan asked) {
    if (asked.cells().values().stream().allMatch(d -> d.treatment() == Treatment.FULL)) {
      throw new ArgumentException(
          new Problem(
              "demotion",
              "",
              "a level at which cells compute in half",
              asked.level() + ", where all are fp32",
              "Leave demotion out."));
    }
  }

  /** After 3 out of 200 steps. */
  public static Demotion defaults() {
    return new Demotion(3, 200);
  }
}
