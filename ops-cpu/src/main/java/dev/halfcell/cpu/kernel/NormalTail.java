package dev.halfcell.cpu.kernel;

/**
 * The standard normal distribution beyond |x|, of many numbers at once: e^(−x² / 2) · t · R(t) with
 * t = 1 / (1 + |x| / 4). The polynomial R is a Chebyshev fit for |x| up to 16, to a relative error
 * of 2 · 10⁻¹¹; further out the exponential is 0 in every dtype. Source of the form: Abramowitz and
 * Stegun, "Handbook of Mathematical Functions", 26.2.17.
 */
final class NormalTail {
  static final double PER_X = 0.25;
  static final double C0 = 0.09973605932404087;
  static final double C1 = 0.09972073018724441;
  static final double C2 = 0.09370386507759176;
  static final double C3 = 0.07941001907021257;
  static final double C4 = 0.07213048854224274;
  static final double C5 = 0.011522166318940614;
  static final double C6 = 0.10582628304154151;
  static final double C7 = -0.1435674046785023;
  static final double C8 = 0.18431900936479786;
  static final double C9 = -0.14912418125447538;
  static final double C10 = 0.03735865404037316;
  static final double C11 = 0.022408011999700817;
  static final double C12 = -0.01655095101501287;
  static final double C13 = 0.003107249983016425;

  private NormalTail() {}

  /** The first {@code count} e, which are e^(−x² / 2) of each x, become the tail beyond |x|. */
  static void of(double[] e, float[] x, int from, int count) {
    for (int i = 0; i < count; i++) {
      double t = 1 / Math.fma(PER_X, Math.abs(x[from + i]), 1);
      double high = Math.fma(t, Math.fma(t, Math.fma(t, C13, C12), C11), C10);
      double middle = Math.fma(t, Math.fma(t, Math.fma(t, Math.fma(t, high, C9), C8), C7), C6);
      double low = Math.fma(t, Math.fma(t, Math.fma(t, Math.fma(t, middle, C5), C4), C3), C2);
      e[i] *= t * Math.fma(t, Math.fma(t, low, C1), C0);
    }
  }
}
