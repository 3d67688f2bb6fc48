package dev.halfcell.op.elementwise;

import dev.halfcell.tensor.ArgumentException;

/**
 * y = x, but {@code least} where x is below it and {@code most} where x is above it; a NaN stays
 * one. A bound may be infinite. Gradient: d where least &lt; x &lt; most, else 0.
 *
 * @param least the lower bound
 * @param most the upper bound, at least the lower one
 */
public record Clip(double least, double most) implements Curve {
  public Clip {
    ArgumentException.require(
        least <= most,
        "Clip",
        "bounds of which the first is not above the second",
        least + ", " + most);
  }

  @Override
  public double value(double x) {
    return Math.min(Math.max(x, least), most);
  }

  @Override
  public Kept kept() {
    return Kept.INPUT;
  }

  @Override
  public double derivative(double x) {
    return x > least && x < most ? 1 : 0;
  }
}
