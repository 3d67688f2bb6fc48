package dev.halfcell.cpu.kernel;

/**
 * Softmax, its logarithm and the gradients of both along one row, in double: a result that is
 * rounded to half the other way would be felt in the gradient, which cancels most of it. One
 * part's.
 */
final class SoftmaxLoops {
  private final Exponentials exponentials = Exponentials.make();

  /** x → softmax(x); NaN all along where all x are −∞ or one is +∞. */
  void softmax(float[][] rows, double[] result, int length) {
    double sum = exponentials(rows[0], Largest.of(rows[0], 0, length), result, length);
    for (int i = 0; i < length; i++) {
      result[i] /= sum;
    }
  }

  /** x → log softmax(x). */
  void logSoftmax(float[][] rows, double[] result, int length) {
    float[] x = rows[0];
    double largest = Largest.of(x, 0, length);
    double log = Math.log(exponentials(x, largest, result, length));
    for (int i = 0; i < length; i++) {
      result[i] = x[i] - largest - log;
    }
  }

  /** Puts e^(x − shift) in {@code to} and returns the sum. */
  double exponentials(float[] x, double shift, double[] to, int length) {
    for (int i = 0; i < length; i++) {
      to[i] = x[i] - shift;
    }
    exponentials.of(to, length);
    return RunningSums.of(to, 0, length);
  }

  /** d, y → y · (d − Σ d · y). */
  void softmaxGradient(float[][] rows, double[] result, int length) {
    float[] d = rows[0];
    float[] y = rows[1];
    double sum = RunningSums.ofProducts(d, y, 0, length);
    for (int i = 0; i < length; i++) {
      result[i] = y[i] * (d[i] - sum);
    }
  }

  /** d, y → d − eʸ · Σ d. */
  void logSoftmaxGradient(float[][] rows, double[] result, int length) {
    float[] d = rows[0];
    double sum = RunningSums.of(d, 0, length);
    double _ = exponentials(rows[1], 0, result, length);
    for (int i = 0; i < length; i++) {
      result[i] = d[i] - result[i] * sum;
    }
  }
}
