package dev.halfcell.cpu.kernel;

/**
 * Sigmoid and hyperbolic tangent in place, in double and rounded once, with the same bits both
 * ways. A NaN stays one. For one thread.
 */
sealed interface Activations permits ActivationArrays, ActivationVectors {
  /** From here on the tangent is 1 in a float. */
  double FAR = 20;

  /** The fastest way here. */
  static Activations make() {
    return VectorModule.present() ? new ActivationVectors() : new ActivationArrays();
  }

  /** Places {@code from} to {@code to} become tanh x = (e²ˣ − 1) / (e²ˣ + 1). */
  void tanh(float[] x, int from, int to);

  /** Places {@code from} to {@code to} become 1 / (1 + e⁻ˣ), which is exactly 0 at −∞. */
  void sigmoid(float[] x, int from, int to);
}
