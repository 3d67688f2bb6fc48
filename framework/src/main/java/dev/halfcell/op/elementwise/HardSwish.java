package dev.halfcell.op.elementwise;

/**
 * y = x · min(max(x + 3, 0), 6) / 6; a NaN at −infinity. Gradient: 0 where x &lt;= −3, d where x
 * &gt;= 3, else d · (2 · x + 3) / 6. Source: Howard et al., "Searching for MobileNetV3", 2019,
 * section 5.2.
 */
public record HardSwish() implements Curve {
  @Override
  public double value(double x) {
    return x * Math.clamp(x + 3, 0.0, 6.0) / 6;
  }

  @Override
  public Kept kept() {
    return Kept.INPUT;
  }

  @Override
  public double derivative(double x) {
    if (x <= -3 || x >= 3) {
      return x < 0 ? 0 : 1;
    }
    return (2 * x + 3) / 6;
  }
}
