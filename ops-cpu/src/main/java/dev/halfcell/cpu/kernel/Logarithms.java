package dev.halfcell.cpu.kernel;

/**
 * Natural logarithms of many numbers at once, to a relative error below 10⁻¹². For one thread;
 * loops are as those of {@link Exponentials}.
 *
 * <p>x = 2ᵉ · m with m from √½ to √2, and ln m = 2 · artanh s with s = (m − 1) / (m + 1), at most
 * 0.172 in size, where the Taylor series up to s¹⁵ suffices.
 */
final class Logarithms {
  private static final int FRACTION_BITS = 52;
  private static final long BIAS = 1023;

  /** Taken off the bits of a number so that its exponent changes at √½ times a power of 2. */
  private static final long TURN =
      Double.doubleToRawLongBits(Math.sqrt(0.5)) - (BIAS << FRACTION_BITS);

  /** The bits of 2⁵²: a whole number below it in its lowest bits is added to it. */
  private static final long WHOLE_BITS = BIAS + FRACTION_BITS << FRACTION_BITS;

  private static final double WHOLE = 0x1p52;
  private static final double LN_2 = Math.log(2);
  private static final double FAR = 1e300;
  private static final double C3 = 1 / 3d;
  private static final double C5 = 1 / 5d;
  private static final double C7 = 1 / 7d;
  private static final double C9 = 1 / 9d;
  private static final double C11 = 1 / 11d;
  private static final double C13 = 1 / 13d;
  private static final double C15 = 1 / 15d;

  private final double[] fraction = new double[Exponentials.BLOCK];
  private final double[] exponent = new double[Exponentials.BLOCK];
  private final double[] special = new double[Exponentials.BLOCK];
  private final long[] fractionBits = new long[Exponentials.BLOCK];
  private final long[] exponentBits = new long[Exponentials.BLOCK];

  /**
   * The first {@code count} x, which are 0 or from 10⁻³⁰⁰ to 10³⁰⁰ in size or not finite, as all
   * floats are, become ln x.
   */
  void of(double[] x, int count) {
    for (int start = 0; start < count; start += Exponentials.BLOCK) {
      int several = Math.min(Exponentials.BLOCK, count - start);
      System.arraycopy(x, start, fraction, 0, several);
      Transfers.bits(fraction, fractionBits, several);
      specials(fraction, special, several);
      split(fractionBits, exponentBits, several);
      Transfers.bits(fractionBits, fraction, several);
      Transfers.bits(exponentBits, exponent, several);
      series(fraction, several);
      add(fraction, exponent, special, several);
      System.arraycopy(fraction, 0, x, start, several);
    }
  }

  /** What to add: −∞ for 0, ∞ for ∞, a NaN for a NaN and what is below 0, else 0. */
  private static void specials(double[] x, double[] to, int count) {
    for (int i = 0; i < count; i++) {
      double below = Math.max(0, -FAR * x[i] * FAR); // infinite, of which 0 times is no number
      double zero = Math.min(0, FAR - 1 / Math.abs(x[i]));
      to[i] = Math.max(0, x[i] - FAR) + zero + below * 0;
    }
  }

  /** Leaves those of m, and those of e + 2⁵² + {@link #BIAS}. */
  private static void split(long[] bits, long[] exponents, int count) {
    for (int i = 0; i < count; i++) {
      long exponent = bits[i] - TURN >>> FRACTION_BITS;
      exponents[i] = exponent | WHOLE_BITS;
      bits[i] -= exponent - BIAS << FRACTION_BITS;
    }
  }

  private static void series(double[] m, int count) {
    for (int i = 0; i < count; i++) {
      double s = (m[i] - 1) / (m[i] + 1);
      double q = s * s;
      double high = C7 + q * (C9 + q * (C11 + q * (C13 + q * C15)));
      m[i] = 2 * s * (1 + q * (C3 + q * (C5 + q * high)));
    }
  }

  private static void add(double[] series, double[] exponent, double[] special, int count) {
    for (int i = 0; i < count; i++) {
      series[i] += (exponent[i] - (WHOLE + BIAS)) * LN_2 + special[i];
    }
  }
}
