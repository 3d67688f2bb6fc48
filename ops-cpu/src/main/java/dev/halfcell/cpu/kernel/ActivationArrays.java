package dev.halfcell.cpu.kernel;

/** In loops over arrays. */
final class ActivationArrays implements Activations {
  private final Exponentials exponentials = new ExponentialArrays();
  private final double[] values = new double[Exponentials.BLOCK];

  @Override
  public void tanh(float[] x, int from, int to) {
    for (int start = from; start < to; start += values.length) {
      int count = Math.min(values.length, to - start);
      twice(x, start, values, count);
      exponentials.lessOne(values, count);
      ratio(values, x, start, count);
    }
  }

  @Override
  public void sigmoid(float[] x, int from, int to) {
    for (int start = from; start < to; start += values.length) {
      int count = Math.min(values.length, to - start);
      negative(x, start, values, count);
      exponentials.of(values, count);
      logistic(values, x, start, count);
    }
  }

  private static void twice(float[] x, int from, double[] e, int count) {
    for (int i = 0; i < count; i++) {
      e[i] = 2 * Math.min(Math.max(x[from + i], -FAR), FAR);
    }
  }

  private static void ratio(double[] e, float[] x, int from, int count) {
    for (int i = 0; i < count; i++) {
      x[from + i] = (float) (e[i] / (e[i] + 2));
    }
  }

  private static void negative(float[] x, int from, double[] e, int count) {
    for (int i = 0; i < count; i++) {
      e[i] = -x[from + i];
    }
  }

  private static void logistic(double[] e, float[] x, int from, int count) {
    for (int i = 0; i < count; i++) {
      x[from + i] = (float) (1 / (1 + e[i]));
    }
  }
}
