package dev.halfcell.testkit;

import dev.halfcell.op.precision.DynamicScale;
import dev.halfcell.op.precision.LogMaxScale;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.ScaleHabits;

/** Loss scales of every kind, and gradients for them, drawn by a generator. */
record RandomScales(Generator g) {
  LossScale rule() {
    return switch (g.integer(0, 9)) {
      case 0 -> LossScale.none();
      case 1 -> LossScale.fixed(Math.exp(4 * g.normal())).dropOverflowUpdate(g.flag());
      case 2, 3, 4 -> logMax();
      default -> dynamic();
    };
  }

  private LogMaxScale logMax() {
    double min = Math.exp(4 * g.normal());
    return new LogMaxScale(
        min,
        min * Math.scalb(1.0, g.integer(0, 20)),
        g.integer(1, 128),
        1 - Math.exp(-Math.abs(3 * g.normal())),
        1 - Math.exp(-Math.abs(3 * g.normal())),
        Math.abs(g.normal()));
  }

  private DynamicScale dynamic() {
    double init = Math.exp(4 * g.normal());
    ScaleHabits habits = ScaleHabits.usual().hysteresis(g.integer(1, 3)).late(g.integer(0, 2));
    habits = g.flag() ? habits.consecutively() : habits;
    return new DynamicScale(
        init,
        factor(),
        1 / factor(),
        g.integer(1, 4),
        g.flag() ? DynamicScale.NO_FLOOR : init * Math.scalb(1.0, -g.integer(0, 4)),
        g.flag() ? DynamicScale.NO_CEILING : init * Math.scalb(1.0, g.integer(0, 4)),
        g.flag() ? habits.clipping() : habits);
  }

  private double factor() {
    return g.flag() ? 2 : 1.001 + Math.abs(4 * g.normal());
  }

  /** So many gradients: finite ones of all magnitudes, zeros, and sometimes one that is not. */
  double[] gradients(int count) {
    double magnitude = g.integer(0, 7) == 0 ? 0 : Math.exp(8 * g.normal());
    double[] gradients = new double[count];
    for (int i = 0; i < count; i++) {
      gradients[i] = (float) (magnitude * g.normal());
    }
    if (g.integer(0, 2) == 0) {
      double[] bad = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
      gradients[g.integer(0, count - 1)] = bad[g.integer(0, 2)];
    }
    return gradients;
  }
}
