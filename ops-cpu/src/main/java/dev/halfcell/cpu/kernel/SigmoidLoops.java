package dev.halfcell.cpu.kernel;

/**
 * Loops of functions made of one exponential: eˣ, and those of 1 / (1 + e⁻ᵘ), u being x or, in
 * {@link dev.halfcell.op.elementwise.Gelu} by tanh, a polynomial of x.
 */
final class SigmoidLoops {
  /** From here on the derivatives are 0 or 1 in every dtype. */
  private static final double FAR_SILU = 1000;

  private static final double FAR_GELU = 40;

  private static final double CUBIC = 0.044715;
  private static final double TWICE_ROOT = 2 * Math.sqrt(2 / Math.PI);

  private SigmoidLoops() {}

  static Flat.Loop exp() {
    return new ExponentialLoop(0, SigmoidLoops::same, SigmoidLoops::store);
  }

  static Flat.Loop sigmoid() {
    Activations activations = Activations.make();
    return (in, out, count, _) -> {
      System.arraycopy(in[0], 0, out[0], 0, count);
      activations.sigmoid(out[0], 0, count);
    };
  }

  static Flat.Loop silu() {
    return new ExponentialLoop(0, SigmoidLoops::negative, SigmoidLoops::timesX);
  }

  static Flat.Loop siluSlope() {
    return new ExponentialLoop(1, SigmoidLoops::negative, SigmoidLoops::siluSlope);
  }

  static Flat.Loop gelu() {
    return new ExponentialLoop(0, SigmoidLoops::cubic, SigmoidLoops::timesX);
  }

  static Flat.Loop geluSlope() {
    return new ExponentialLoop(1, SigmoidLoops::cubic, SigmoidLoops::geluSlope);
  }

  static Flat.Loop tanh() {
    Activations activations = Activations.make();
    return (in, out, count, _) -> {
      System.arraycopy(in[0], 0, out[0], 0, count);
      activations.tanh(out[0], 0, count);
    };
  }

  private static void same(float[] x, int from, double[] e, int count) {
    for (int i = 0; i < count; i++) {
      e[i] = x[from + i];
    }
  }

  private static void store(float[][] in, int from, double[] e, float[] y, int count) {
    for (int i = 0; i < count; i++) {
      y[from + i] = (float) e[i];
    }
  }

  static void negative(float[] x, int from, double[] e, int count) {
    for (int i = 0; i < count; i++) {
      e[i] = -x[from + i];
    }
  }

  /** −u. */
  private static void cubic(float[] x, int from, double[] e, int count) {
    for (int i = 0; i < count; i++) {
      double value = x[from + i];
      e[i] = -TWICE_ROOT * (value + CUBIC * value * value * value);
    }
  }

  private static void timesX(float[][] in, int from, double[] e, float[] y, int count) {
    float[] x = in[0];
    for (int i = 0; i < count; i++) {
      y[from + i] = (float) (x[from + i] / (1 + e[i]));
    }
  }

  /** d · s · (1 + x · (1 − s)). */
  private static void siluSlope(float[][] in, int from, double[] e, float[] dx, int count) {
    float[] d = in[0];
    float[] x = in[1];
    for (int i = 0; i < count; i++) {
      double near = Math.min(Math.max(x[from + i], -FAR_SILU), FAR_SILU);
      double s = 1 / (1 + e[i]);
      dx[from + i] = (float) (d[from + i] * (s * (1 + near * (1 - s))));
    }
  }

  /** d · s · (1 + x · (1 − s) · u′). */
  private static void geluSlope(float[][] in, int from, double[] e, float[] dx, int count) {
    float[] d = in[0];
    float[] x = in[1];
    for (int i = 0; i < count; i++) {
      double near = Math.min(Math.max(x[from + i], -FAR_GELU), FAR_GELU);
      double s = 1 / (1 + e[i]);
      double ofU = TWICE_ROOT * (1 + 3 * CUBIC * near * near);
      dx[from + i] = (float) (d[from + i] * (s * (1 + near * (1 - s) * ofU)));
    }
  }
}
