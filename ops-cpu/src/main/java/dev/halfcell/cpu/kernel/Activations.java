package dev.halfcell.cpu.kernel;

/**
 * Sigmoid and hyperbolic tangent in place, in loops without a branch, so that the JIT vectorises
 * them. Both rest on eʸ − 1 = 2ⁿ · (eʳ − 1) + (2ⁿ − 1) with y = n · ln 2 + r and |r| at most ln 2 /
 * 2, where the Taylor series of eʳ − 1 up to r⁷ is exact to float; unlike eʸ itself it keeps its
 * digits around 0. A NaN stays one.
 */
final class Activations {
  /** The largest whole number whose eʸ is a float. */
  private static final float FLAT = 88f;

  private static final float LOG2_E = (float) (1 / Math.log(2));

  /** ln 2 in two parts, the first short enough for n times it to be exact. */
  private static final float LN2_HIGH = 0.693359375f;

  private static final float LN2_LOW = (float) (Math.log(2) - LN2_HIGH);

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

  private Activations() {}

  /** Places {@code from} to {@code to} become tanh(x) = (e²ˣ − 1) / (e²ˣ + 1). */
  static void tanh(float[] x, int from, int to) {
    for (int i = from; i < to; i++) {
      float e = exponentialLessOne(2 * x[i]);
      x[i] = e / (e + 2);
    }
  }

  /** Places {@code from} to {@code to} become 1 / (1 + e⁻ˣ), which is exactly 0 at −∞. */
  static void sigmoid(float[] x, int from, int to) {
    for (int i = from; i < to; i++) {
      float infinite = Math.max(0, -x[i] - FLAT); // beside e⁸⁸ a finite one is nothing
      x[i] = 1 / (2 + exponentialLessOne(-x[i]) + infinite);
    }
  }

  private static float exponentialLessOne(float exact) {
    float y = Math.max(-FLAT, Math.min(FLAT, exact));
    float n = y * LOG2_E + ROUNDING - ROUNDING;
    float r = y - n * LN2_HIGH - n * LN2_LOW;
    float series = r * (1 + r * (C2 + r * (C3 + r * (C4 + r * (C5 + r * (C6 + r * C7))))));
    float power = Float.intBitsToFloat(((int) n + EXPONENT_BIAS) << FRACTION_BITS);
    return power * series + (power - 1);
  }
}
