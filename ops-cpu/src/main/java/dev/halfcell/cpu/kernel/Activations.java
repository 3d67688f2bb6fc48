package dev.halfcell.cpu.kernel;

/**
 * Sigmoid and hyperbolic tangent in place, in loops without a branch, so that the JIT vectorises
 * them. A NaN stays one.
 */
final class Activations {
  private Activations() {}

  /** Places {@code from} to {@code to} become tanh(x) = (e²ˣ − 1) / (e²ˣ + 1). */
  static void tanh(float[] x, int from, int to) {
    for (int i = from; i < to; i++) {
      x[i] = tanh(x[i]);
    }
  }

  /** Places {@code from} to {@code to} become 1 / (1 + e⁻ˣ), which is exactly 0 at −∞. */
  static void sigmoid(float[] x, int from, int to) {
    for (int i = from; i < to; i++) {
      x[i] = sigmoid(x[i]);
    }
  }

  static float tanh(float x) {
    float e = Exponentials.lessOne(2 * x);
    return e / (e + 2);
  }

  static float sigmoid(float x) {
    return 1 / (1 + Exponentials.of(-x));
  }
}
