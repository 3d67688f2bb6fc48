package dev.halfcell.op.update;

import dev.halfcell.tensor.ArgumentException;

/**
 * One rise and one longer fall, each half a cosine: from peak / startDivisor at step 0 to peak at
 * step rise · steps − 1, then to peak / startDivisor / endDivisor at the last step, steps − 1.
 *
 * <p>Source: Smith and Topin, "Super-Convergence", 2018, section 3, in the form of PyTorch's
 * OneCycleLR with cosine annealing.
 *
 * @param peak the highest rate
 * @param steps all of them
 * @param rise the share of them in which the rate rises
 */
public record OneCycle(double peak, int steps, double rise, double startDivisor, double endDivisor)
    implements Schedule {
  public OneCycle {
    Schedule.requireRate(peak);
    ArgumentException.require(steps >= 2, "steps of a cycle", "at least 2", steps);
    ArgumentException.require(
        rise * steps > 1 && rise < 1,
        "share of a cycle that rises",
        "more than one of " + steps + " steps, and below 1",
        rise);
    requireDivisor("start divisor", startDivisor);
    requireDivisor("end divisor", endDivisor);
  }

  /** A rise over 30 % of the steps from a 25th of the peak; 10,000 times lower at the end. */
  public OneCycle(double peak, int steps) {
    this(peak, steps, 0.3, 25, 1e4);
  }

  private static void requireDivisor(String name, double divisor) {
    ArgumentException.require(
        divisor >= 1 && Double.isFinite(divisor), name, "a finite number, at least 1", divisor);
  }

  @Override
  public double rate(long applied) {
    double top = rise * steps - 1;
    double last = steps - 1.0;
    double start = peak / startDivisor;
    return applied <= top
        ? between(start, peak, applied / top)
        : between(
            peak, start / endDivisor, (Math.min((double) applied, last) - top) / (last - top));
  }

  private static double between(double from, double to, double share) {
    return to + (from - to) / 2 * (1 + Math.cos(Math.PI * share));
  }
}
