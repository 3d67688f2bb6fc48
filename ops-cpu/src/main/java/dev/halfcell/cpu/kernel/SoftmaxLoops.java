package dev.halfcell.cpu.kernel;

/**
 * Softmax, its logarithm and the gradients of both along one row, in double: a result that is
 * rounded to half the other way would be felt in the gradient, which cancels most of it.
 */
final class SoftmaxLoops {
  private SoftmaxLoops() {}

  /** x → softmax(x); NaN all along where all x are −∞ or one is +∞. */
  static void softmax(float[][] rows, double[] result, int length) {
    float[] x = rows[0];
    double largest = largest(x, length);
    double sum = exponentials(x, largest, length);
    for (int i = 0; i < length; i++) {
      result[i] = Math.exp(x[i] - largest) / sum;
    }
  }

  /** x → log softmax(x). */
  static void logSoftmax(float[][] rows, double[] result, int length) {
    float[] x = rows[0];
    double largest = largest(x, length);
    double log = Math.log(exponentials(x, largest, length));
    for (int i = 0; i < length; i++) {
      result[i] = x[i] - largest - log;
    }
  }

  private static double exponentials(float[] x, double largest, int length) {
    double sum = 0;
    for (int i = 0; i < length; i++) {
      sum += Math.exp(x[i] - largest);
    }
    return sum;
  }

  /** d, y → y · (d − Σ d · y). */
  static void softmaxGradient(float[][] rows, double[] result, int length) {
    float[] d = rows[0];
    float[] y = rows[1];
    double sum = RunningSums.ofProducts(d, y, 0, length);
    for (int i = 0; i < length; i++) {
      result[i] = y[i] * (d[i] - sum);
    }
  }

  /** d, y → d − eʸ · Σ d. */
  static void logSoftmaxGradient(float[][] rows, double[] result, int length) {
    float[] d = rows[0];
    float[] y = rows[1];
    double sum = RunningSums.of(d, 0, length);
    for (int i = 0; i < length; i++) {
      result[i] = d[i] - Math.exp(y[i]) * sum;
    }
  }

  private static float largest(float[] x, int length) {
    float largest = Float.NEGATIVE_INFINITY;
    for (int i = 0; i < length; i++) {
      largest = Math.max(largest, x[i]);
    }
    return largest;
  }
}
