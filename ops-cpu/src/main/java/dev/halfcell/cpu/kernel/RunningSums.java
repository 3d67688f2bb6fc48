package dev.halfcell.cpu.kernel;

/**
 * Sums over neighbours in an array, in double and in sixteen running sums, for one would wait for
 * itself at every step. The order of additions depends on nothing but the count.
 */
final class RunningSums {
  /** How many elements are added at once: what is left behind a multiple of them comes last. */
  static final int STEP = 16;

  private static final int LANES = 4;
  private static final boolean VECTORS = VectorModule.present(RunningVectors.BITS);

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
    return lane(a, from, bound)
        + lane(a, from + 1, bound)
        + (lane(a, from + 2, bound) + lane(a, from + 3, bound));
  }

  static double lanes(double[] a, int from, int bound) {
    return lane(a, from, bound)
        + lane(a, from + 1, bound)
        + (lane(a, from + 2, bound) + lane(a, from + 3, bound));
  }

  static double lanes(float[] a, float[] b, int from, int bound) {
    return lane(a, b, from, bound)
        + lane(a, b, from + 1, bound)
        + (lane(a, b, from + 2, bound) + lane(a, b, from + 3, bound));
  }

  /** Of each four neighbours the first one, in four running sums. */
  private static double lane(float[] a, int from, int bound) {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
    for (int i = from; i < bound; i += STEP) {
      first += a[i];
      second += a[i + LANES];
      third += a[i + 2 * LANES];
      fourth += a[i + 3 * LANES];
    }
    return first + second + (third + fourth);
  }

  private static double lane(double[] a, int from, int bound) {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
    for (int i = from; i < bound; i += STEP) {
      first += a[i];
      second += a[i + LANES];
      third += a[i + 2 * LANES];
      fourth += a[i + 3 * LANES];
    }
    return first + second + (third + fourth);
  }

  private static double lane(float[] a, float[] b, int from, int bound) {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
    for (int i = from; i < bound; i += STEP) {
      first += (double) a[i] * b[i];
      second += (double) a[i + LANES] * b[i + LANES];
      third += (double) a[i + 2 * LANES] * b[i + 2 * LANES];
      fourth += (double) a[i + 3 * LANES] * b[i + 3 * LANES];
    }
    return first + second + (third + fourth);
  }
}
