package dev.halfcell.cpu.kernel;

/**
 * Sigmoid and hyperbolic tangent in place, in floats, with the same bits both ways: the float
 * nearest to the result or, seldom, a neighbour of it. A NaN stays one. For one thread.
 *
 * <p>Both are quotients of sums with t = e⁻ˣ or e⁻²ˣ for x without its sign, which is at most 1, so
 * that nothing overflows. t = 2ⁿ · (1 + p) as in {@link Exponentials}. What additions round away is
 * carried along (T. J. Dekker, "A floating-point technique for extending the available precision",
 * 1971: the sum s of a and a smaller b loses b − (s − a)), and the quotient is corrected by what it
 * leaves of the dividend.
 */
sealed interface Activations permits ActivationArrays, ActivationVectors {
  /** −x from which on the sigmoid is 0. */
  float LEAST_OF_SIGMOID = -104;

  /** −2x from which on the tangent is 1. */
  float LEAST_OF_TANH = -40;

  /** The fastest way here. */
  static Activations make() {
    return VectorModule.usable() ? new ActivationVectors() : new ActivationArrays();
  }

  /** Places {@code from} to {@code to} become tanh x = (1 − e⁻²ˣ) / (1 + e⁻²ˣ). */
  void tanh(float[] x, int from, int to);

  /** Places {@code from} to {@code to} become 1 / (1 + e⁻ˣ), which is exactly 0 at −∞. */
  void sigmoid(float[] x, int from, int to);
}
