package dev.halfcell.op.elementwise;

import dev.halfcell.op.PrecisionClass;

/** y = 1 / √x: infinite at 0, a NaN below. Gradient: −d · y³ / 2. */
public record Rsqrt() implements Curve {
  @Override
  public PrecisionClass precision() {
    return PrecisionClass.DENY;
  }

  @Override
  public double value(double x) {
    return 1 / Math.sqrt(x);
  }

  @Override
  public Kept kept() {
    return Kept.OUTPUT;
  }

  @Override
  public double derivative(double y) {
    return -0.5 * y * y * y;
  }
}
