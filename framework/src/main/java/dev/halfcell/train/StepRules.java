package dev.halfcell.train;

import dev.halfcell.tensor.ArgumentException;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What is said of a step beside its network and optimizer: when it counts as refused and what
 * follows, and what is kept of it under which name. Each method gives a changed copy.
 *
 * @param overflow what becomes of a batch whose step is refused
 * @param nanLossIsOverflow whether a loss that is not finite refuses the step where all gradients
 *     are finite; else it is applied and the result says so
 * @param maxConsecutiveOverflows the most steps that may be refused one after another; a loss scale
 *     whose rule has a lower limit has that one
 * @param maxHopelessSteps so many end the training where none of them had a finite loss and a loss
 *     scale that fell: nothing changes there by itself
 * @param ema the share of the moving average of each trained parameter that a step keeps; none
 *     means that no averages are kept
 * @param name what its counters are called, so that several steps on one state do not meet; empty
 *     for the only one
 * @param sharedScale what its loss scale is called where it is not its own: steps that say the same
 *     share one
 */
public record StepRules(
    OverflowPolicy overflow,
    boolean nanLossIsOverflow,
    int maxConsecutiveOverflows,
    int maxHopelessSteps,
    OptionalDouble ema,
    String name,
    Optional<String> sharedScale) {
  public StepRules {
    ArgumentException.require(
        maxConsecutiveOverflows >= 1,
        "maxConsecutiveOverflows",
        "at least 1",
        maxConsecutiveOverflows);
    ArgumentException.require(
        maxHopelessSteps >= 1, "maxHopelessSteps", "at least 1", maxHopelessSteps);
    ema.ifPresent(StepRules::requireDecay);
    requireName("name", name);
    sharedScale.ifPresent(shared -> requireName("scaleName", shared));
  }

  private static void requireDecay(double decay) {
    ArgumentException.require(
        decay > 0 && decay < 1, "ema", "a share above 0 and below 1, such as 0.999", decay);
  }

  private static void requireName(String option, String name) {
    ArgumentException.require(name.indexOf('/') < 0, option, "a name without '/'", name);
  }

  /**
   * Skip; a loss that is not finite refuses; 1000 refused and 25 hopeless steps are the most; no
   * averages, no names.
   */
  public static StepRules defaults() {
    return new StepRules(
        OverflowPolicy.skip(), true, 1000, 25, OptionalDouble.empty(), "", Optional.empty());
  }

  /** With another policy. */
  public StepRules overflow(OverflowPolicy policy) {
    return new StepRules(
        policy,
        nanLossIsOverflow,
        maxConsecutiveOverflows,
        maxHopelessSteps,
        ema,
        name,
        sharedScale);
  }

  /** With steps refused for their loss alone, or not. */
  public StepRules nanLossIsOverflow(boolean refuse) {
    return new StepRules(
        overflow, refuse, maxConsecutiveOverflows, maxHopelessSteps, ema, name, sharedScale);
  }

  /** With another limit on steps refused one after another. */
  public StepRules maxConsecutiveOverflows(int most) {
    return new StepRules(
        overflow, nanLossIsOverflow, most, maxHopelessSteps, ema, name, sharedScale);
  }

  /** With another limit on steps that a lower loss scale would not have saved. */
  public StepRules maxHopelessSteps(int most) {
    return new StepRules(
        overflow, nanLossIsOverflow, maxConsecutiveOverflows, most, ema, name, sharedScale);
  }

  /** With a moving average of each trained parameter, of which a step keeps this share. */
  public StepRules ema(double decay) {
    return new StepRules(
        overflow,
        nanLossIsOverflow,
        maxConsecutiveOverflows,
        maxHopelessSteps,
        OptionalDouble.of(decay),
        name,
        sharedScale);
  }

  /** With counters under this name, and the loss scale unless that is shared. */
  public StepRules name(String own) {
    return new StepRules(
        overflow,
        nanLossIsOverflow,
        maxConsecutiveOverflows,
        maxHopelessSteps,
        ema,
        own,
        sharedScale);
  }

  /** What its loss scale is called. */
  String scaleName() {
    return sharedScale.orElse(name);
  }

  /** With the loss scale under this name: every step that says the same has it too. */
  public StepRules scaleName(String shared) {
    return new StepRules(
        overflow,
        nanLossIsOverflow,
        maxConsecutiveOverflows,
        maxHopelessSteps,
        ema,
        name,
        Optional.of(shared));
  }
}
