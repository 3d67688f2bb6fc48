package dev.halfcell.op.elementwise;

import dev.halfcell.op.PrecisionClass;

/** y = ln x: −infinity at 0, a NaN below. Gradient: d / x. */
public record Log() implements Curve {
  @Override
  public PrecisionClass precision() {
    return PrecisionClass.DENY;
  }

  @Override
  public double value(double x) {
    return Math.log(x);
  }

  @Override
  public Kept kept() {
    return Kept.INPUT;
  }

  @Override
  public double derivative(double x) {
    return 1 / x;
  }
}
