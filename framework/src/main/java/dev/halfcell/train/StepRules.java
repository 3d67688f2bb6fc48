package dev.halfcell.train;

import dev.halfcell.tensor.ArgumentException;

/**
 * When a step counts as refused, and what follows. Each method gives a changed copy.
 *
 * @param overflow what becomes of a batch whose step is refused
 * @param nanLossIsOverflow whether a loss that is not finite refuses the step where all gradients
 *     are finite; else it is applied and the result says so
 * @param maxConsecutiveOverflows so many steps refused one after another end the training
 * @param maxHopelessSteps so many end it where none of them had a finite loss and a loss scale that
 *     fell: nothing changes there by itself
 */
public record StepRules(
    OverflowPolicy overflow,
    boolean nanLossIsOverflow,
    int maxConsecutiveOverflows,
    int maxHopelessSteps) {
  public StepRules {
    ArgumentException.require(
        maxConsecutiveOverflows >= 1,
        "maxConsecutiveOverflows",
        "at least 1",
        maxConsecutiveOverflows);
    ArgumentException.require(
        maxHopelessSteps >= 1, "maxHopelessSteps", "at least 1", maxHopelessSteps);
  }

  /** Skip; a loss that is not finite refuses; 1000 refused and 25 hopeless steps are the most. */
  public static StepRules defaults() {
    return new StepRules(OverflowPolicy.skip(), true, 1000, 25);
  }

  /** With another policy. */
  public StepRules overflow(OverflowPolicy policy) {
    return new StepRules(policy, nanLossIsOverflow, maxConsecutiveOverflows, maxHopelessSteps);
  }

  /** With steps refused for their loss alone, or not. */
  public StepRules nanLossIsOverflow(boolean refuse) {
    return new StepRules(overflow, refuse, maxConsecutiveOverflows, maxHopelessSteps);
  }

  /** With another limit on steps refused one after another. */
  public StepRules maxConsecutiveOverflows(int most) {
    return new StepRules(overflow, nanLossIsOverflow, most, maxHopelessSteps);
  }

  /** With another limit on steps that a lower loss scale would not have saved. */
  public StepRules maxHopelessSteps(int most) {
    return new StepRules(overflow, nanLossIsOverflow, maxConsecutiveOverflows, most);
  }
}
