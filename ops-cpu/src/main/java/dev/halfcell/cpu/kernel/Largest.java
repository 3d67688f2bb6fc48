package dev.halfcell.cpu.kernel;

/** The largest of neighbours in an array; a NaN where one is. */
final class Largest {
  private static final boolean VECTORS = VectorModule.usable() && RunningVectors.suit();

  private Largest() {}

  /** That of {@code count} numbers, −∞ of none. */
  static float of(float[] a, int from, int count) {
    int bound = from + count - count % RunningSums.STEP;
    float largest = Float.NEGATIVE_INFINITY;
    if (bound > from) {
      largest = VECTORS ? RunningVectors.largest(a, from, bound) : ofWhole(a, from, bound);
    }
    for (int i = bound; i < from + count; i++) {
      largest = Math.max(largest, a[i]);
    }
    return largest;
  }

  /** In four running ones, for each waits for itself. */
  static float ofWhole(float[] a, int from, int bound) {
    float first = Float.NEGATIVE_INFINITY;
    float second = Float.NEGATIVE_INFINITY;
    float third = Float.NEGATIVE_INFINITY;
    float fourth = Float.NEGATIVE_INFINITY;
    for (int i = from; i < bound; i += 4) {
      first = Math.max(first, a[i]);
      second = Math.max(second, a[i + 1]);
      third = Math.max(third, a[i + 2]);
      fourth = Math.max(fourth, a[i + 3]);
    }
    return Math.max(Math.max(first, second), Math.max(third, fourth));
  }
}
