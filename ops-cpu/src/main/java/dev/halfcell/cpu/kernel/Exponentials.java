package dev.halfcell.cpu.kernel;

/**
 * Exponentials of floats without a branch, so that the JIT vectorises loops of them as it does not
 * those of {@link Math#exp}. A NaN stays one.
 *
 * <p>eˣ = 2ⁿ · eʳ with n the whole number nearest to x / ln 2, found by adding a number so large
 * that what is below 1 falls off, and r = x − n · ln 2, at most ln 2 / 2 in size, where the Taylor
 * series of eʳ − 1 up to r⁷ is exact to a tenth of a float's last place.
 */
final class Exponentials {
  /** Its exponential rounds to 0. */
  private static final float LEAST = -105f;

  /** Its exponential rounds to infinity. */
  private static final float MOST = 90f;

  /** The largest whole number whose exponential is a float. */
  static final float LARGEST = 88f;

  private static final float PER_LN_2 = (float) (1 / Math.log(2));

  /** ln 2 in two parts, the first short enough for n times it to be exact. */
  private static final float LN_2_HIGH = 355 / 512f;

  private static final float LN_2_LOW = (float) (Math.log(2) - LN_2_HIGH);

  /** Adding and subtracting it rounds a small float to the nearest whole number. */
  private static final float ROUNDING = 0x1.8p23f;

  private static final float C2 = 1 / 2f;
  private static final float C3 = 1 / 6f;
  private static final float C4 = 1 / 24f;
  private static final float C5 = 1 / 120f;
  private static final float C6 = 1 / 720f;
  private static final float C7 = 1 / 5040f;
  private static final int EXPONENT_BIAS = 127;
  private static final int FRACTION_BITS = 23;

  private Exponentials() {}

  /** x[i] = exp(x[i] − shift) for the first {@code count} elements. */
  static void shifted(float[] x, float shift, int count) {
    for (int i = 0; i < count; i++) {
      x[i] = of(x[i] - shift);
    }
  }

  /** eˣ, down to 0 and up to infinity; 2ⁿ is multiplied in two halves to reach both. */
  static float of(float x) {
    float y = Math.min(Math.max(x, LEAST), MOST);
    float n = nearest(y);
    int half = (int) n >> 1;
    return (1 + series(y - n * LN_2_HIGH - n * LN_2_LOW)) * power(half) * power((int) n - half);
  }

  /**
   * eˣ − 1, with all its digits around 0, for x up to {@link #LARGEST} in size; beyond that what it
   * is there.
   */
  static float lessOne(float x) {
    float y = Math.min(Math.max(x, -LARGEST), LARGEST);
    float n = nearest(y);
    float power = power((int) n);
    return power * series(y - n * LN_2_HIGH - n * LN_2_LOW) + (power - 1);
  }

  private static float nearest(float y) {
    return y * PER_LN_2 + ROUNDING - ROUNDING;
  }

  private static float series(float r) {
    return r * (1 + r * (C2 + r * (C3 + r * (C4 + r * (C5 + r * (C6 + r * C7))))));
  }

  private static float power(int n) {
    return Float.intBitsToFloat((n + EXPONENT_BIAS) << FRACTION_BITS);
  }
}
