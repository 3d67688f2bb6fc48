package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.train.diagnosis.Offender;
import java.util.Optional;
import java.util.function.Supplier;

/** Ends a training whose steps are refused, as its rules say. */
record Refusals(StepRules rules, LossScale scale, StepState state) {
  /** Adds the counters to a state that has none yet. */
  static void declare(StepState state) {
    state.declareCounter(Variable.refused());
    state.declareCounter(Variable.hopeless());
  }

  /** Whether the rule of the loss scale gives up where the step to come overflows. */
  boolean lastChance() {
    return scale.givesUpOnOverflow(ScaleVariables.read(state, scale));
  }

  /**
   * Throws where this result is one too many.
   *
   * @param lastChance what {@link #lastChance} said before the step
   * @param first tells where the first value that is not finite came from
   */
  void judge(StepResult result, boolean lastChance, Supplier<Optional<Offender>> first) {
    if (!result.overflow()) {
      return;
    }
    long refused = (long) state.read(Variable.refused()).item();
    long hopeless = (long) state.read(Variable.hopeless()).item();
    if (rules.overflow() instanceof OverflowPolicy.Fail) {
      String fix = "Another overflow policy, skip or retrySameBatch, goes on where that can help.";
      throw ended(result, "the overflow policy is fail", first, fix);
    }
    if (lastChance) {
      String why = scale.name() + " does not fall below its floor";
      String fix = "Take a loss scale with a lower floor, or a smaller learning rate.";
      throw ended(result, why, first, fix);
    }
    if (hopeless >= rules.maxHopelessSteps()) {
      String why = "maxHopelessSteps: " + hopeless + " steps refused that no lower scale saves";
      String fix = "Check the data for NaN and infinity, or take a smaller learning rate.";
      throw ended(result, why, first, fix);
    }
    if (refused > mostInARow()) {
      String why = "maxConsecutiveOverflows: " + refused + " steps refused in a row";
      String fix = "Compute the cell that is named in fp32, or clip what it reads.";
      throw ended(result, why, first, fix);
    }
  }

  private int mostInARow() {
    return Math.min(
        rules.maxConsecutiveOverflows(), scale.mostOverflowsInARow().orElse(Integer.MAX_VALUE));
  }

  /** Whether one more refused step could be one too many. */
  boolean mayEnd() {
    return lastChance()
        || state.read(Variable.refused()).item() >= mostInARow()
        || state.read(Variable.hopeless()).item() + 1 >= rules.maxHopelessSteps();
  }

  /** Whether the last step was refused and one more could be one too many. */
  boolean nearEnd() {
    return state.read(Variable.refused()).item() > 0 && mayEnd();
  }

  private NonFiniteException ended(
      StepResult result, String why, Supplier<Optional<Offender>> first, String fix) {
    return new NonFiniteException(
        new Problem(
            "training",
            "step %.0f".formatted(state.read(Variable.seen()).item()),
            "a finite loss and finite gradients",
            "loss %s at scale %s (%s); first: %s"
                .formatted(
                    result.loss(),
                    result.usedScale(),
                    why,
                    first.get().map(Offender::text).orElse("none when run op by op")),
            fix));
  }
}
