package dev.halfcell.op.update;

import dev.halfcell.tensor.ArgumentException;

/** How a learning rate follows the applied steps: pure, and so held where a step is skipped. */
public sealed interface Schedule {
  /** The rate of the step before which {@code applied} steps were applied. */
  double rate(long applied);

  /** The same rate for ever. */
  record Constant(double rate) implements Schedule {
    public Constant {
      requireRate(rate);
    }

    @Override
    public double rate(long applied) {
      return rate;
    }
  }

  /**
   * A rate that rises evenly over the first {@code steps} steps: rate · min(1, (applied + 1) /
   * steps).
   */
  record WarmUp(double rate, int steps) implements Schedule {
    public WarmUp {
      requireRate(rate);
      ArgumentException.require(steps >= 1, "warm-up steps", "at least 1", steps);
    }

    @Override
    public double rate(long applied) {
      return rate * Math.min(1.0, (applied + 1.0) / steps);
    }
  }

  private static void requireRate(double rate) {
    ArgumentException.require(
        rate >= 0 && Float.isFinite((float) rate),
        "learning rate",
        "a finite number, at least 0",
        rate);
  }
}
