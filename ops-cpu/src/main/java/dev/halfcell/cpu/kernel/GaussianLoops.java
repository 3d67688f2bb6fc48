package dev.halfcell.cpu.kernel;

/** Loops of the exact {@link dev.halfcell.op.elementwise.Gelu}, from e^(−x² / 2). */
final class GaussianLoops {
  /** From here on the derivative is 0 or 1 in every dtype. */
  static final double FAR = 40;

  static final double PER_ROOT = 1 / Math.sqrt(2 * Math.PI);

  private GaussianLoops() {}

  /** The fastest way here. */
  static Flat.Loop gelu() {
    return VectorModule.usable() ? new GaussianVectors()::gelu : geluArrays();
  }

  /** The same of the gradient. */
  static Flat.Loop geluSlope() {
    return VectorModule.usable() ? new GaussianVectors()::geluSlope : slopeArrays();
  }

  static Flat.Loop geluArrays() {
    return new ExponentialLoop(0, GaussianLoops::square, GaussianLoops::timesX);
  }

  static Flat.Loop slopeArrays() {
    double[] tails = new double[Exponentials.BLOCK];
    return new ExponentialLoop(
        1,
        GaussianLoops::square,
        (in, from, e, dx, count) -> {
          System.arraycopy(e, 0, tails, 0, count);
          NormalTail.of(tails, in[1], from, count);
          below(in[1], from, tails, count);
          slope(in, from, e, tails, dx, count);
        });
  }

  private static void square(float[] x, int from, double[] e, int count) {
    for (int i = 0; i < count; i++) {
      e[i] = -0.5 * x[from + i] * x[from + i];
    }
  }

  private static void timesX(float[][] in, int from, double[] e, float[] y, int count) {
    float[] x = in[0];
    NormalTail.of(e, x, from, count);
    below(x, from, e, count);
    for (int i = 0; i < count; i++) {
      y[from + i] = (float) (x[from + i] * e[i]);
    }
  }

  /**
   * From the tail beyond |x| to the distribution at x: itself, or 1 less it. 0 has no sign, and ½.
   */
  private static void below(float[] x, int from, double[] tails, int count) {
    for (int i = 0; i < count; i++) {
      double sign = Math.signum(x[from + i]);
      tails[i] = 0.5 * sign + 0.5 - sign * tails[i];
    }
  }

  /** d · (Φ(x) + x · Φ′(x)). */
  private static void slope(
      float[][] in, int from, double[] e, double[] below, float[] dx, int count) {
    float[] d = in[0];
    float[] x = in[1];
    for (int i = 0; i < count; i++) {
      double near = Math.min(Math.max(x[from + i], -FAR), FAR);
      dx[from + i] = (float) (d[from + i] * (below[i] + near * (PER_ROOT * e[i])));
    }
  }
}
