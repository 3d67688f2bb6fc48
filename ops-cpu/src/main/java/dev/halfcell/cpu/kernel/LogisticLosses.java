package dev.halfcell.cpu.kernel;

/** Terms of {@link dev.halfcell.op.loss.BceWithLogits}, up to a chunk of them. One part's. */
final class LogisticLosses {
  private final double[] logs = new double[Chunk.SIZE];
  private final Exponentials exponentials = Exponentials.make();
  private final Logarithms logarithms = new Logarithms();

  /**
   * max(x, 0) − x · target + ln(1 + e) with e = e^(−|x|). What 1 + e loses of e by rounding, over 1
   * + e, is how much the logarithm is wrong.
   */
  void compute(float[] x, float[] target, double[] to, int count) {
    sizes(x, to, count);
    exponentials.of(to, count);
    addOne(to, logs, count);
    logarithms.of(logs, count);
    for (int i = 0; i < count; i++) {
      double sum = 1 + to[i];
      double lost = (sum - 1 - to[i]) / sum;
      to[i] = Math.max(x[i], 0d) - (double) x[i] * target[i] + (logs[i] - lost);
    }
  }

  private static void sizes(float[] x, double[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = -Math.abs(x[i]);
    }
  }

  private static void addOne(double[] from, double[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = 1 + from[i];
    }
  }
}
