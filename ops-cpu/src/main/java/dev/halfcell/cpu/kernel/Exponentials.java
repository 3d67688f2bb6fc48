package dev.halfcell.cpu.kernel;

/**
 * Exponentials of many numbers at once, to a relative error below 10⁻¹¹: a float rounded from one
 * is right but where it lies between two as good as in the middle. A NaN stays one. For one thread.
 *
 * <p>eˣ = 2ⁿ · eʳ with n the whole number nearest to x / ln 2, found by adding a number so large
 * that what is below 1 falls off, and r = x − n · ln 2, at most ln 2 / 2 in size, where the Taylor
 * series of eʳ − 1 up to r⁹ suffices.
 *
 * <p>Every loop is short and without a branch, and goes from places to the same places of other
 * arrays: only then does the JIT vectorise it. It does not vectorise taking a double for its bits
 * either, which copying does.
 */
final class Exponentials {
  /** How many numbers are computed at a time: those of a few arrays fit the first cache. */
  static final int BLOCK = 512;

  /** 2ⁿ at its exponent and below is made as 0, and above the other one as infinity. */
  private static final double LEAST = -709;

  private static final double MOST = 710;
  private static final double LN_2 = Math.log(2);
  private static final double PER_LN_2 = 1 / LN_2;

  /** Adding it rounds a double to the nearest whole number, which its lowest bits then are. */
  private static final double ROUNDING = 0x1.8p52;

  private static final double C2 = 1 / 2d;
  private static final double C3 = 1 / 6d;
  private static final double C4 = 1 / 24d;
  private static final double C5 = 1 / 120d;
  private static final double C6 = 1 / 720d;
  private static final double C7 = 1 / 5040d;
  private static final double C8 = 1 / 40320d;
  private static final double C9 = 1 / 362880d;

  private final double[] rest = new double[BLOCK];
  private final double[] power = new double[BLOCK];
  private final long[] bits = new long[BLOCK];

  /** The first {@code count} x become eˣ, down to 0 from -709 and up to infinity from 710 on. */
  void of(double[] x, int count) {
    for (int start = 0; start < count; start += BLOCK) {
      int several = Math.min(BLOCK, count - start);
      System.arraycopy(x, start, rest, 0, several);
      split(several);
      multiply(rest, power, several);
      System.arraycopy(rest, 0, x, start, several);
    }
  }

  /** The first {@code count} x, at most 700 in size, become eˣ − 1, right around 0 too. */
  void lessOne(double[] x, int count) {
    for (int start = 0; start < count; start += BLOCK) {
      int several = Math.min(BLOCK, count - start);
      System.arraycopy(x, start, rest, 0, several);
      split(several);
      multiplyLessOne(rest, power, several);
      System.arraycopy(rest, 0, x, start, several);
    }
  }

  /** The first {@code count} x become e^(x − shift). */
  void shifted(float[] x, double shift, int count) {
    for (int start = 0; start < count; start += BLOCK) {
      int several = Math.min(BLOCK, count - start);
      subtract(x, start, shift, rest, several);
      split(several);
      multiply(rest, power, several);
      round(rest, x, start, several);
    }
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

  private static void multiplyLessOne(double[] series, double[] power, int count) {
    for (int i = 0; i < count; i++) {
      series[i] = series[i] * power[i] + (power[i] - 1);
    }
  }

  private static void subtract(float[] x, int start, double shift, double[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = x[start + i] - shift;
    }
  }

  private static void round(double[] from, float[] x, int start, int count) {
    for (int i = 0; i < count; i++) {
      x[start + i] = (float) from[i];
    }
  }
}
