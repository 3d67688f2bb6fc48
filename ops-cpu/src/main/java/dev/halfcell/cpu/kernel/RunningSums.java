package dev.halfcell.cpu.kernel;

/**
 * Sums over neighbours in an array, in double and in sixteen running sums, for one would wait for
 * itself at every step. The order of additions depends on nothing but the count.
 */
final class RunningSums {
  /** How many elements are added at once: what is left behind a multiple of them comes last. */
  static final int STEP = 16;

  private static final boolean VECTORS = VectorModule.usable() && RunningVectors.suit();

  private RunningSums() {}

  /** Σ a. */
  static double of(float[] a, int from, int count) {
    int bound = from + count - count % STEP;
    double sum = VECTORS ? RunningVectors.of(a, from, bound) : lanes(a, from, bound);
    for (int i = bound; i < from + count; i++) {
      sum += a[i];
    }
    return sum;
  }

  /** Σ a. */
  static double of(double[] a, int from, int count) {
    int bound = from + count - count % STEP;
    double sum = VECTORS ? RunningVectors.of(a, from, bound) : lanes(a, from, bound);
    for (int i = bound; i < from + count; i++) {
      sum += a[i];
    }
    return sum;
  }

  /** Σ a · b. */
  static double ofProducts(float[] a, float[] b, int from, int count) {
    int bound = from + count - count % STEP;
    double sum = VECTORS ? RunningVectors.ofProducts(a, b, from, bound) : lanes(a, b, from, bound);
    for (int i = bound; i < from + count; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }

  /** Over arrays up to {@code bound}, a multiple of {@link #STEP} behind {@code from}. */
  static double lanes(float[] a, int from, int bound) {
    return fourth(a, from, bound)
        + fourth(a, from + 1, bound)
        + (fourth(a, from + 2, bound) + fourth(a, from + 3, bound));
  }

  static double lanes(double[] a, int from, int bound) {
    return fourth(a, from, bound)
        + fourth(a, from + 1, bound)
        + (fourth(a, from + 2, bound) + fourth(a, from + 3, bound));
  }

  static double lanes(float[] a, float[] b, int from, int bound) {
    return fourth(a, b, from, bound)
        + fourth(a, b, from + 1, bound)
        + (fourth(a, b, from + 2, bound) + fourth(a, b, from + 3, bound));
  }

  /** Of each four neighbours the first one, in four running sums. */
  private static double fourth(float[] a, int from, int bound) {
    double s0 = 0;
    double s4 = 0;
    double s8 = 0;
    double s12 = 0;
    for (int i = from; i < bound; i += STEP) {
      s0 += a[i];
      s4 += a[i + 4];
      s8 += a[i + 8];
      s12 += a[i + 12];
    }
    return s0 + s8 + (s4 + s12);
  }

  private static double fourth(double[] a, int from, int bound) {
    double s0 = 0;
    double s4 = 0;
    double s8 = 0;
    double s12 = 0;
    for (int i = from; i < bound; i += STEP) {
      s0 += a[i];
      s4 += a[i + 4];
      s8 += a[i + 8];
      s12 += a[i + 12];
    }
    return s0 + s8 + (s4 + s12);
  }

  private static double fourth(float[] a, float[] b, int from, int bound) {
    double s0 = 0;
    double s4 = 0;
    double s8 = 0;
    double s12 = 0;
    for (int i = from; i < bound; i += STEP) {
      s0 += (double) a[i] * b[i];
      s4 += (double) a[i + 4] * b[i + 4];
      s8 += (double) a[i + 8] * b[i + 8];
      s12 += (double) a[i + 12] * b[i + 12];
    }
    return s0 + s8 + (s4 + s12);
  }
}
