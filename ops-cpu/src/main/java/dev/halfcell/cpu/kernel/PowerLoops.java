package dev.halfcell.cpu.kernel;

import java.util.Arrays;

/**
 * Loops of logarithms and powers: a power that is a whole number is a product of squares, any other
 * is e^(exponent · ln x), a NaN below 0. One part's.
 */
final class PowerLoops {
  /** Whole numbers from here on are even. */
  private static final double EVEN = 0x1p53;

  private final double factor;
  private final double exponent;
  private final Exponentials exponentials = Exponentials.make();
  private final Logarithms logarithms = new Logarithms();
  private final double[] base = new double[Exponentials.BLOCK];
  private final double[] result = new double[Exponentials.BLOCK];

  private PowerLoops(double factor, double exponent) {
    this.factor = factor;
    this.exponent = exponent;
  }

  static Flat.Loop log() {
    return new PowerLoops(1, 1)::log;
  }

  /** x to a power. */
  static Flat.Loop of(double exponent) {
    return new PowerLoops(1, exponent)::power;
  }

  /** The gradient of the same: d · exponent · x^(exponent − 1), which is 0 for no exponent. */
  static Flat.Loop slope(double exponent) {
    return new PowerLoops(exponent, exponent == 0 ? 0 : exponent - 1)::slope;
  }

  private void log(float[][] in, float[][] out, int count, int start) {
    for (int from = 0; from < count; from += base.length) {
      int several = Math.min(base.length, count - from);
      widen(in[0], from, base, several);
      logarithms.of(base, several);
      round(base, out[0], from, several);
    }
  }

  private void power(float[][] in, float[][] out, int count, int start) {
    for (int from = 0; from < count; from += base.length) {
      int several = Math.min(base.length, count - from);
      raise(in[0], from, several);
      round(result, out[0], from, several);
    }
  }

  private void slope(float[][] in, float[][] out, int count, int start) {
    for (int from = 0; from < count; from += base.length) {
      int several = Math.min(base.length, count - from);
      raise(in[1], from, several);
      times(in[0], factor, result, out[0], from, several);
    }
  }

  /** Leaves powers in result. */
  private void raise(float[] x, int from, int count) {
    if (exponent == Math.rint(exponent)) {
      widen(x, from, base, count);
      multiply((long) Math.min(Math.abs(exponent), EVEN), count);
    } else {
      mirror(x, from, base, count);
      logarithms.of(base, count);
      scale(base, exponent, result, count);
      exponentials.of(result, count);
    }
  }

  private void multiply(long times, int count) {
    Arrays.fill(result, 0, count, 1);
    for (long rest = times; rest > 0; rest >>= 1) {
      if ((rest & 1) == 1) {
        multiply(result, base, count);
      }
      multiply(base, base, count);
    }
    if (exponent < 0) {
      invert(result, count);
    }
  }

  private static void multiply(double[] a, double[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] *= b[i];
    }
  }

  private static void invert(double[] a, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = 1 / a[i];
    }
  }

  private static void scale(double[] a, double by, double[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = by * a[i];
    }
  }

  /** Of what is below 0 only −∞ has such a power, that of ∞. */
  private static void mirror(float[] x, int from, double[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = x[from + i] == Float.NEGATIVE_INFINITY ? Double.POSITIVE_INFINITY : x[from + i];
    }
  }

  private static void widen(float[] x, int from, double[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = x[from + i];
    }
  }

  private static void round(double[] values, float[] to, int from, int count) {
    for (int i = 0; i < count; i++) {
      to[from + i] = (float) values[i];
    }
  }

  private static void times(
      float[] d, double factor, double[] values, float[] to, int from, int count) {
    for (int i = 0; i < count; i++) {
      to[from + i] = (float) (d[from + i] * (factor * values[i]));
    }
  }
}
