package dev.halfcell.op.precision;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import java.util.List;

/**
 * A scale from the statistics of the largest gradient magnitude a. With x = log₂ a, μ the mean of x
 * and σ its standard deviation, both over steps whose weights decay and both without the bias of
 * the start: scale = 2^(logMax − μ − deviations · σ), within min and max. An overflow counts as x =
 * logMax. A step whose gradients are all 0 does not count: half may have flushed them, so the scale
 * doubles, as far as max.
 *
 * <p>Source: OpenSeq2Seq, optimizers/automatic_loss_scaler.py, LogMaxScaler. There an overflow
 * counts as x = 2^16 instead of 16, which pins the scale at its floor for thousands of steps; 16
 * stands in the formula for every format; and gradients that are all 0 make the scale NaN for ever,
 * as do at its start all that FP16 flushes at scale 1.
 *
 * @param min the floor, above 0
 * @param max the ceiling
 * @param logMax the binary logarithm of what just overflows the gradients' format: 16 for FP16, 128
 *     for BF16
 * @param meanDecay the share of the mean that a step leaves: β₁
 * @param spreadDecay the share of the spread's mean and square that a step leaves: β₂
 * @param deviations how many standard deviations above the mean do not overflow; 3.09 for 999 steps
 *     of 1000
 */
public record LogMaxScale(
    double min, double max, double logMax, double meanDecay, double spreadDecay, double deviations)
    implements LossScale {
  public LogMaxScale {
    LossScale.requirePositive("loss scale min", min);
    LossScale.requirePositive("loss scale max", max);
    ArgumentException.require(min <= max, "loss scale min", "at most max = " + max, min);
    ArgumentException.require(
        logMax > 0 && logMax <= 128, "loss scale log max", "above 0 and at most 128", logMax);
    requireDecay("loss scale beta1", meanDecay);
    requireDecay("loss scale beta2", spreadDecay);
    ArgumentException.require(
        deviations >= 0 && Double.isFinite(deviations),
        "loss scale deviations",
        "a finite number of at least 0",
        deviations);
  }

  private static void requireDecay(String option, double decay) {
    ArgumentException.require(decay >= 0 && decay < 1, option, "at least 0 and below 1", decay);
  }

  /** OpenSeq2Seq's numbers, from 1 to 2¹⁴, for gradients in this 16-bit dtype. */
  static LogMaxScale of(DType half) {
    ArgumentException.require(half.half(), "loss scale LogMax", "fp16 or bf16", half.label());
    return new LogMaxScale(1, 0x1p14, half == DType.FP16 ? 16 : 128, 0.99, 0.999, 3.09);
  }

  /** With this floor and ceiling. */
  public LogMaxScale bounds(double floor, double ceiling) {
    return new LogMaxScale(floor, ceiling, logMax, meanDecay, spreadDecay, deviations);
  }

  @Override
  public boolean readsLargest() {
    return true;
  }

  /** At 1, for nothing has been seen. */
  @Override
  public State start() {
    return new State(clipped(1), 0, List.of(0.0, 0.0, 0.0, 0.0, 0.0));
  }

  @Override
  public State next(State now, Verdict verdict) {
    boolean known = verdict.finite() && verdict.log2Largest() < Double.POSITIVE_INFINITY;
    double x = known ? verdict.log2Largest() : logMax;
    if (x == Double.NEGATIVE_INFINITY) {
      return new State(clipped(2 * now.scale()), now.clean(), now.words());
    }
    Seen seen = Seen.of(now.words()).with(x, meanDecay, spreadDecay);
    return new State(
        clipped(StrictMath.pow(2, logMax - seen.cutoff(deviations))), now.clean(), seen.words());
  }

  private double clipped(double scale) {
    return Math.clamp((float) scale, (float) min, (float) max);
  }

  /**
   * What has been seen of x. A sum that decays, divided by the same sum of ones, is a mean without
   * the bias of the start: 1 − β^t is that sum of ones.
   *
   * @param sum of x, decaying by β₁
   * @param weight of ones, decaying by β₁
   * @param wideSum of x, decaying by β₂
   * @param squares of x², decaying by β₂
   * @param wideWeight of ones, decaying by β₂
   */
  private record Seen(
      double sum, double weight, double wideSum, double squares, double wideWeight) {
    static Seen of(List<Double> words) {
      return new Seen(words.get(0), words.get(1), words.get(2), words.get(3), words.get(4));
    }

    List<Double> words() {
      return List.of(sum, weight, wideSum, squares, wideWeight);
    }

    Seen with(double x, double meanDecay, double spreadDecay) {
      return new Seen(
          decayed(sum, x, meanDecay),
          decayed(weight, 1, meanDecay),
          decayed(wideSum, x, spreadDecay),
          decayed(squares, x * x, spreadDecay),
          decayed(wideWeight, 1, spreadDecay));
    }

    private static double decayed(double sum, double x, double decay) {
      return decay * sum + (1 - decay) * x;
    }

    double cutoff(double deviations) {
      double mean = wideSum / wideWeight;
      double variance = Math.max(0, squares / wideWeight - mean * mean);
      return sum / weight + deviations * Math.sqrt(variance);
    }
  }
}
