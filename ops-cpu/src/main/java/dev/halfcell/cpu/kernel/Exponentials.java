package dev.halfcell.cpu.kernel;

/**
 * Exponentials of many floats, in a loop that the JIT vectorises as it does not {@link Math#exp}.
 *
 * <p>eˣ = 2ⁿ · eʳ with n the whole number nearest to x / ln 2, found by adding a number so large
 * that what is below 1 falls off, and eʳ by a polynomial. 2ⁿ is multiplied in two halves, so that
 * results reach down to 0 and up to infinity. A NaN stays one. At most 2 units in the last place
 * from the right value.
 *
 * <p>Source: Moshier, "Methods and Programs for Mathematical Functions", 1989 (Cephes {@code expf}:
 * the polynomial and the two parts of ln 2).
 */
final class Exponentials {
  private static final float LEAST = -105; // its exponential rounds to 0
  private static final float MOST = 90; // and of this one to infinity
  private static final float PER_LN_2 = 1.442695f;
  private static final float LN_2_HIGH = 0.693359375f;
  private static final float LN_2_LOW = (float) (Math.log(2) - LN_2_HIGH);
  private static final float ROUNDING = 12582912; // 1.5 · 2^23
  private static final int ROUNDING_BITS = 0x4b400000;

  private Exponentials() {}

  /** x[i] = exp(x[i] − shift) for the first {@code count} elements. */
  static void shifted(float[] x, float shift, int count) {
    for (int i = 0; i < count; i++) {
      float v = Math.min(Math.max(x[i] - shift, LEAST), MOST);
      float rounded = v * PER_LN_2 + ROUNDING;
      int n = Float.floatToRawIntBits(rounded) - ROUNDING_BITS;
      float whole = rounded - ROUNDING;
      float r = v - whole * LN_2_HIGH - whole * LN_2_LOW;
      float p = 1.9875691e-4f;
      p = p * r + 0.0013981999f;
      p = p * r + 0.008333452f;
      p = p * r + 0.041665796f;
      p = p * r + 0.16666666f;
      p = p * r + 0.5f;
      p = p * (r * r) + r + 1;
      int half = n >> 1;
      x[i] =
          p * Float.intBitsToFloat(half + 127 << 23) * Float.intBitsToFloat(n - half + 127 << 23);
    }
  }
}
