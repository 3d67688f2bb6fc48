package dev.halfcell.op.elementwise;

import dev.halfcell.op.PrecisionClass;

/** y = eˣ. Gradient: d · y. */
public record Exp() implements Curve {
  @Override
  public PrecisionClass precision() {
    return PrecisionClass.DENY;
  }

  @Override
  public double value(double x) {
    return Math.exp(x);
  }

  @Override
  public Kept kept() {
    return Kept.OUTPUT;
  }

  @Override
  public double derivative(double y) {
    return y;
  }
}
