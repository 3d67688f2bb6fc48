package dev.halfcell.cpu.kernel;

/**
 * The curves of gates over arrays of floats, in loops without a branch that the JIT vectorises.
 * Absolute errors are below 4e-7, no value leaves the range of its curve, and a NaN stays one.
 */
final class Activations {
  /** From here on tanh is 1 in float; the polynomials go astray further out. */
  private static final float FLAT = 9;

  private Activations() {}

  /**
   * Places {@code from} to {@code to} become their tanh: a quotient of an odd polynomial of degree
   * 13 and an even one of degree 6, the minimax approximation that Eigen computes tanh with
   * (MathFunctionsImpl.h, {@code generic_fast_tanh_float}).
   */
  static void tanh(float[] x, int from, int to) {
    for (int i = from; i < to; i++) {
      float v = Math.max(-FLAT, Math.min(FLAT, x[i]));
      float s = v * v;
      float p = s * -2.76076847742355e-16f + 2.00018790482477e-13f;
      p = p * s - 8.60467152213735e-11f;
      p = p * s + 5.12229709037114e-08f;
      p = p * s + 1.48572235717979e-05f;
      p = p * s + 6.37261928875436e-04f;
      p = p * s + 4.89352455891786e-03f;
      float q = s * 1.19825839466702e-06f + 1.18534705686654e-04f;
      q = q * s + 2.26843463243900e-03f;
      q = q * s + 4.89352518554385e-03f;
      x[i] = Math.max(-1, Math.min(1, v * p / q));
    }
  }

  /** Places {@code from} to {@code to} become 1 / (1 + e⁻ˣ), which is (1 + tanh(x / 2)) / 2. */
  static void sigmoid(float[] x, int from, int to) {
    for (int i = from; i < to; i++) {
      x[i] *= 0.5f;
    }
    tanh(x, from, to);
    for (int i = from; i < to; i++) {
      x[i] = 0.5f + 0.5f * x[i];
    }
  }
}
