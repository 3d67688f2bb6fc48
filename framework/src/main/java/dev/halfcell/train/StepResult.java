package dev.halfcell.train;

import dev.halfcell.train.diagnosis.Offender;
import java.util.Optional;

/**
 * What a step reports.
 *
 * @param loss the unscaled loss of its batch; of a window the mean over all its micro-batches
 * @param overflow whether the loss or a gradient was not finite
 * @param usedScale the loss scale that the step was computed with
 * @param nextScale the loss scale of the next step
 * @param applied whether parameters, slots and statistics moved; a micro-batch moves none
 * @param gradientNorm the Euclidean norm of all unscaled gradients together; not finite where they
 *     are not
 * @param firstOffender what first was not finite, where that was asked for and the step overflowed
 */
public record StepResult(
    double loss,
    boolean overflow,
    double usedScale,
    double nextScale,
    boolean applied,
    double gradientNorm,
    Optional<Offender> firstOffender) {
  /** A result of which no first offender is known. */
  public StepResult(
      double loss,
      boolean overflow,
      double usedScale,
      double nextScale,
      boolean applied,
      double gradientNorm) {
    this(loss, overflow, usedScale, nextScale, applied, gradientNorm, Optional.empty());
  }

  /** The same for the step of a window, whose loss is the sum over its micro-batches. */
  StepResult meanOf(int microBatches) {
    return new StepResult(
        loss / microBatches, overflow, usedScale, nextScale, applied, gradientNorm, firstOffender);
  }

  /** The same with what first was not finite. */
  StepResult first(Optional<Offender> offender) {
    return new StepResult(loss, overflow, usedScale, nextScale, applied, gradientNorm, offender);
  }

  /** Whether the loss itself was finite. */
  public boolean lossFinite() {
    return Double.isFinite(loss);
  }

  /** Whether the step was refused and a smaller loss scale could not, or will not, help. */
  public boolean hopeless() {
    return overflow && (!lossFinite() || nextScale >= usedScale);
  }
}
