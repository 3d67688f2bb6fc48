package dev.halfcell.cpu.kernel;

/**
 * In loops over arrays. Every loop is short and without a branch, and goes from places to the same
 * places of other arrays: only then does the JIT vectorise it. It does not vectorise taking a
 * double for its bits either, which copying does.
 */
final class ExponentialArrays implements Exponentials {
  private final double[] rest = new double[BLOCK];
  private final double[] power = new double[BLOCK];
  private final long[] bits = new long[BLOCK];

  @Override
  public void of(double[] x, int count) {
    for (int start = 0; start < count; start += BLOCK) {
      int several = Math.min(BLOCK, count - start);
      System.arraycopy(x, start, rest, 0, several);
      split(several);
      multiply(rest, power, several);
      System.arraycopy(rest, 0, x, start, several);
    }
  }

  @Override
  public void shifted(float[] x, int from, float shift, int count) {
    for (int i = from; i < from + count; i++) {
      float near = Math.min(Math.max(x[i] - shift, FLOAT_LEAST), FLOAT_MOST);
      float shifted = near * FLOAT_PER_LN_2 + FLOAT_ROUNDING;
      float r = rest(shifted - FLOAT_ROUNDING, near);
      int n = Float.floatToRawIntBits(shifted) - ROUNDING_BITS;
      int half = n >> 1;
      float s = Math.fma(r * r, series(r), r) + 1;
      x[i] = s * power(half) * power(n - half);
    }
  }

  /** What n · ln 2 leaves of x. */
  static float rest(float n, float x) {
    return Math.fma(n, -LN_2_LOW, Math.fma(n, -LN_2_HIGH, x));
  }

  /** (eʳ − 1 − r) / r². */
  static float series(float r) {
    float high = Math.fma(r, Math.fma(r, (float) C7, (float) C6), (float) C5);
    return Math.fma(r, Math.fma(r, Math.fma(r, high, (float) C4), (float) C3), (float) C2);
  }

  /** 2ⁿ. */
  static float power(int n) {
    return Float.intBitsToFloat(n + 127 << 23);
  }

  /** Of what stands in rest, leaves 2ⁿ in power and eʳ − 1 in rest. */
  private void split(int count) {
    reduce(rest, power, count);
    Transfers.bits(power, bits, count);
    raise(bits, count);
    Transfers.bits(bits, power, count);
    series(rest, count);
  }

  private static void reduce(double[] x, double[] whole, int count) {
    for (int i = 0; i < count; i++) {
      double near = Math.min(Math.max(x[i], LEAST), MOST);
      double shifted = near * PER_LN_2 + ROUNDING;
      whole[i] = shifted;
      x[i] = near - (shifted - ROUNDING) * LN_2;
    }
  }

  /** From the bits of n + {@link #ROUNDING} to those of 2ⁿ. */
  private static void raise(long[] bits, int count) {
    for (int i = 0; i < count; i++) {
      bits[i] = bits[i] + 1023 << 52;
    }
  }

  private static void series(double[] r, int count) {
    for (int i = 0; i < count; i++) {
      double x = r[i];
      double high = Math.fma(x, Math.fma(x, Math.fma(x, Math.fma(x, C9, C8), C7), C6), C5);
      r[i] = x * Math.fma(x, Math.fma(x, Math.fma(x, Math.fma(x, high, C4), C3), C2), 1);
    }
  }

  private static void multiply(double[] series, double[] power, int count) {
    for (int i = 0; i < count; i++) {
      series[i] = (1 + series[i]) * power[i];
    }
  }
}
