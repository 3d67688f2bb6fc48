package dev.halfcell.train;

import dev.halfcell.tensor.Tensor;
import dev.halfcell.train.diagnosis.Offender;
import java.util.List;
import java.util.Optional;

/**
 * What a step reports.
 *
 * @param loss the unscaled loss of its batch; of a window the mean over all its micro-batches
 * @param overflow whether a gradient was not finite, or the loss where {@link
 *     StepRules#nanLossIsOverflow} holds
 * @param usedScale the loss scale that the step was computed with
 * @param nextScale the loss scale of the next step
 * @param applied whether parameters, slots and statistics moved; a micro-batch moves none
 * @param gradientNorm the Euclidean norm of all unscaled gradients together; not finite where they
 *     are not
 * @param firstOffender what first was not finite, where that was asked for and the step, a
 *     micro-batch of it, dropped or not, or a try of its batch before it overflowed; none too where
 *     a compiled step overflowed and all is finite op by op
 * @param tries how often the batch was tried; more than once under {@link
 *     OverflowPolicy.RetrySameBatch} only
 */
public record StepResult(
    double loss,
    boolean overflow,
    double usedScale,
    double nextScale,
    boolean applied,
    double gradientNorm,
    Optional<Offender> firstOffender,
    int tries) {
  /** A result of the first try, of which no first offender is known. */
  public StepResult(
      double loss,
      boolean overflow,
      double usedScale,
      double nextScale,
      boolean applied,
      double gradientNorm) {
    this(loss, overflow, usedScale, nextScale, applied, gradientNorm, Optional.empty(), 1);
  }

  /**
   * Of the results of a step: loss, whether the step is finite, and the norm of its gradients.
   *
   * @param drops whether a step that is not finite is left out
   */
  static StepResult ofStep(
      List<Tensor> results, double usedScale, double nextScale, boolean drops) {
    boolean finite = results.get(1).item() != 0;
    return new StepResult(
        results.get(0).item(),
        !finite,
        usedScale,
        nextScale,
        finite || !drops,
        results.get(2).item());
  }

  /** The same of a micro-batch, whose norm is of scaled gradients, and which is never applied. */
  static StepResult ofMicroBatch(List<Tensor> results, double scale) {
    double norm = results.get(2).item() / scale;
    boolean finite = results.get(1).item() != 0;
    return new StepResult(results.get(0).item(), !finite, scale, scale, false, norm);
  }

  /** The same for the step of a window, whose loss is the sum over its micro-batches. */
  StepResult meanOf(int microBatches) {
    return new StepResult(
        loss / microBatches,
        overflow,
        usedScale,
        nextScale,
        applied,
        gradientNorm,
        firstOffender,
        tries);
  }

  /** The same with what first was not finite. */
  StepResult first(Optional<Offender> offender) {
    return new StepResult(
        loss, overflow, usedScale, nextScale, applied, gradientNorm, offender, tries);
  }

  /** The same at that try. */
  public StepResult tried(int times) {
    return new StepResult(
        loss, overflow, usedScale, nextScale, applied, gradientNorm, firstOffender, times);
  }

  /** Whether the loss itself was finite. */
  public boolean lossFinite() {
    return Double.isFinite(loss);
  }
}
