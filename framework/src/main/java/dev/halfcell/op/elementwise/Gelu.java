package dev.halfcell.op.elementwise;

/**
 * y = x · Φ(x), Φ being the normal distribution function, exactly or by tanh; a NaN at −infinity.
 *
 * <p>By tanh: Φ(x) ≈ (1 + tanh u) / 2 with u = √(2 / π) · (x + 0.044715 · x³). Gradient: d · (Φ(x)
 * + x · Φ′(x)), and its limits 0 and 1 at the infinities. Source: Hendrycks and Gimpel, "Gaussian
 * Error Linear Units", 2016, section 2.
 *
 * @param byTanh whether Φ is approximated
 */
public record Gelu(boolean byTanh) implements Curve {
  /** From here on the derivative is 0 or 1 in every dtype. */
  private static final double FAR = 40;

  private static final double CUBIC = 0.044715;
  private static final double TWICE_ROOT = 2 * Math.sqrt(2 / Math.PI);

  private double below(double x) {
    return byTanh ? logistic(x) : Gaussian.below(x);
  }

  private double density(double x) {
    if (!byTanh) {
      return Gaussian.density(x);
    }
    double s = logistic(x);
    return s * (1 - s) * TWICE_ROOT * (1 + 3 * CUBIC * x * x);
  }

  /** (1 + tanh u) / 2 = 1 / (1 + e^(−2u)), which loses nothing where it is near 0. */
  private static double logistic(double x) {
    return 1 / (1 + Math.exp(-TWICE_ROOT * (x + CUBIC * x * x * x)));
  }

  @Override
  public double value(double x) {
    return x * below(x);
  }

  @Override
  public Kept kept() {
    return Kept.INPUT;
  }

  @Override
  public double derivative(double x) {
    double near = Math.clamp(x, -FAR, FAR);
    return below(near) + near * density(near);
  }
}
