package dev.halfcell.cpu.kernel;

/**
 * Sums over neighbours in an array, in double and in four running sums, for one would wait for
 * itself at every step. The order of additions depends on nothing but the count.
 */
final class RunningSums {
  private RunningSums() {}

  /** Σ a. */
  static double of(float[] a, int from, int count) {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
    int end = from + count;
    int i = from;
    for (; i + 3 < end; i += 4) {
      first += a[i];
      second += a[i + 1];
      third += a[i + 2];
      fourth += a[i + 3];
    }
    for (; i < end; i++) {
      first += a[i];
    }
    return first + second + (third + fourth);
  }

  /** Σ a. */
  static double of(double[] a, int from, int count) {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
    int end = from + count;
    int i = from;
    for (; i + 3 < end; i += 4) {
      first += a[i];
      second += a[i + 1];
      third += a[i + 2];
      fourth += a[i + 3];
    }
    for (; i < end; i++) {
      first += a[i];
    }
    return first + second + (third + fourth);
  }

  /** Σ a · b. */
  static double ofProducts(float[] a, float[] b, int from, int count) {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
    int end = from + count;
    int i = from;
    for (; i + 3 < end; i += 4) {
      first += (double) a[i] * b[i];
      second += (double) a[i + 1] * b[i + 1];
      third += (double) a[i + 2] * b[i + 2];
      fourth += (double) a[i + 3] * b[i + 3];
    }
    for (; i < end; i++) {
      first += (double) a[i] * b[i];
    }
    return first + second + (third + fourth);
  }
}
