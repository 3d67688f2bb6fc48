package dev.halfcell.benchmarks;

import java.util.List;

/**
 * Whether all contenders compute the same: from the same values, each has the losses of HalfCell at
 * O0. The first loss shows that the forward passes agree, the next ones the gradients and the
 * updates too. Differences are taken relative to the first loss, because later ones may come close
 * to 0.
 *
 * @param firstBound by how much the first losses in FP32 may differ
 * @param bf16Steps how many steps are looked at in BF16, where as many were taken
 */
record LossAgreement(double firstBound, int bf16Steps) {
  /** How many steps are looked at otherwise, where as many were taken; three always are. */
  static final int STEPS = 5;

  /** That of most networks. */
  static final LossAgreement USUAL = new LossAgreement(1e-5, STEPS);

  /**
   * That of ResNet-50. libtorch's own settings differ by 1e-5 there, before any step. And in BF16
   * its loss falls more slowly: the fourth is 8.1 to 8.2, of HalfCell and of libtorch, and 7.1 in
   * FP32, probably because a step at its learning rate moves most weights by less than the distance
   * of two BF16s. As many steps are looked at on each machine, however many it takes in a round.
   */
  static final LossAgreement OF_FIFTY_LAYERS = new LossAgreement(5e-5, 3);

  /**
   * Throws where a contender's losses differ from {@code expected} by more than rounding.
   *
   * @return the largest difference, relative to the first loss
   */
  double require(Contender contender, Measurement measured, List<Double> expected) {
    double worst = 0;
    int most = contender.precision() == Precision.BF16 ? bf16Steps : STEPS;
    int steps = Math.min(most, Math.min(expected.size(), measured.losses().size()));
    for (int step = 0; step < steps; step++) {
      double loss = measured.losses().get(step);
      double difference = Math.abs(loss - expected.get(step)) / expected.getFirst();
      if (!(difference <= allowed(contender.precision().half(), step))) {
        throw new MeasurementException(
            String.format(
                "%s does not compute what HalfCell does: in step %d its loss is %s, HalfCell's %s.",
                contender, step + 1, loss, expected.get(step)));
      }
      worst = Math.max(worst, difference);
    }
    return worst;
  }

  /** Steps carry roundings on, those of BF16 by some hundredths on a batch as small as 8. */
  private double allowed(boolean half, int step) {
    double first = half ? 2e-2 : firstBound;
    double later = half ? 1e-1 : 1e-4;
    return step == 0 ? first : later;
  }
}
