package dev.halfcell.op.elementwise;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.ArgumentException;

/**
 * y = x to a power that is part of the op; a NaN where x is below 0 and the power is no whole
 * number. Gradient: d · exponent · x^(exponent − 1).
 */
public record Pow(double exponent) implements Curve {
  public Pow {
    ArgumentException.require(
        Double.isFinite(exponent), "Pow exponent", "a finite number", exponent);
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.DENY;
  }

  @Override
  public double value(double x) {
    return Math.pow(x, exponent);
  }

  @Override
  public Kept kept() {
    return Kept.INPUT;
  }

  @Override
  public double derivative(double x) {
    return exponent == 0 ? 0 : exponent * Math.pow(x, exponent - 1);
  }
}
