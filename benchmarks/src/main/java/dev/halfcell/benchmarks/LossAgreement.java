package dev.halfcell.benchmarks;

import java.util.List;

/**
 * Whether all contenders compute the same: from the same values, each has the losses of HalfCell at
 * O0. The first loss shows that the forward passes agree, the next ones the gradients and the
 * updates too.
 */
final class LossAgreement {
  /** How many steps are looked at. */
  static final int STEPS = 5;

  private static final double FIRST_STEP = 1e-5;
  private static final double LATER_STEPS = 1e-4;
  private static final double HALF = 2e-2;

  private LossAgreement() {}

  /**
   * Throws where a contender's losses differ from {@code expected} by more than rounding.
   *
   * @return the largest relative difference
   */
  static double require(Contender contender, Measurement measured, List<Double> expected) {
    double worst = 0;
    for (int step = 0; step < Math.min(STEPS, expected.size()); step++) {
      double loss = measured.losses().get(step);
      double difference = Math.abs(loss - expected.get(step)) / Math.abs(expected.get(step));
      double allowed = contender.half() ? HALF : step == 0 ? FIRST_STEP : LATER_STEPS;
      if (!(difference <= allowed)) {
        throw new MeasurementException(
            String.format(
                "%s does not compute what HalfCell does: in step %d its loss is %s, HalfCell's %s.",
                contender, step + 1, loss, expected.get(step)));
      }
      worst = Math.max(worst, difference);
    }
    return worst;
  }
}
