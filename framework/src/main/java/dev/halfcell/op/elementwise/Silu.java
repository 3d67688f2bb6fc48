package dev.halfcell.op.elementwise;

/**
 * y = x / (1 + e⁻ˣ), also called Swish; a NaN at −infinity. Gradient: d · s · (1 + x · (1 − s))
 * with s = 1 / (1 + e⁻ˣ), and its limits 0 and 1 at the infinities. Source: Elfwing et al.,
 * "Sigmoid-Weighted Linear Units", 2017, eq. 3 and 4.
 */
public record Silu() implements Curve {
  /** From here on the derivative is 0 or 1 in every dtype. */
  private static final double FAR = 1000;

  @Override
  public double value(double x) {
    return x / (1 + Math.exp(-x));
  }

  @Override
  public Kept kept() {
    return Kept.INPUT;
  }

  @Override
  public double derivative(double x) {
    double near = Math.clamp(x, -FAR, FAR);
    double s = 1 / (1 + Math.exp(-near));
    return s * (1 + near * (1 - s));
  }
}
