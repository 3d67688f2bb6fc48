package dev.halfcell.op.elementwise;

/**
 * The standard normal distribution, to about the last bits of a double.
 *
 * <p>Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.2.1, 26.2.11 (the
 * series) and 26.2.14 (the continued fraction).
 */
final class Gaussian {
  private static final double FAR = 4;
  private static final int TERMS = 100;

  private Gaussian() {}

  /** e^(−x² / 2) / √(2π). */
  static double density(double x) {
    return Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
  }

  /** The integral of the density from −infinity to x. */
  static double below(double x) {
    if (x > FAR) {
      return 1 - tail(x);
    }
    return x < -FAR ? tail(-x) : 0.5 + density(x) * series(x);
  }

  /** x + x³ / 3 + x⁵ / (3 · 5) + …: of one sign, so nothing cancels. */
  private static double series(double x) {
    double term = x;
    double sum = x;
    for (int n = 1; n < TERMS; n++) {
      term *= x * x / (2 * n + 1);
      sum += term;
    }
    return sum;
  }

  /** The integral from x &gt; 0 to infinity: density / (x + 1 / (x + 2 / (x + …))). */
  private static double tail(double x) {
    double fraction = x;
    for (int n = TERMS; n > 0; n--) {
      fraction = x + n / fraction;
    }
    return density(x) / fraction;
  }
}
