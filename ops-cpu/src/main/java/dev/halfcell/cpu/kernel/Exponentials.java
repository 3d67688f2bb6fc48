package dev.halfcell.cpu.kernel;

/**
 * Exponentials of many numbers at once, those in double to a relative error below 10⁻¹¹: a float
 * rounded from one is right but where it lies between two as good as in the middle. A NaN stays
 * one. For one thread.
 *
 * <p>eˣ = 2ⁿ · eʳ with n the whole number nearest to x / ln 2, found by adding a number so large
 * that what is below 1 falls off, and r = x − n · ln 2, at most ln 2 / 2 in size, where the Taylor
 * series of eʳ − 1 up to r⁹ suffices. Both ways compute exactly that, operation by operation, so
 * that they give the same bits.
 */
sealed interface Exponentials permits ExponentialArrays, ExponentialVectors {
  /** How many numbers are computed at a time: those of a few arrays fit the first cache. */
  int BLOCK = 512;

  /** 2ⁿ at its exponent and below is made as 0, and above the other one as infinity. */
  double LEAST = -709;

  double MOST = 710;
  double LN_2 = Math.log(2);
  double PER_LN_2 = 1 / LN_2;

  /** Adding it rounds a double to the nearest whole number, which its lowest bits then are. */
  double ROUNDING = 0x1.8p52;

  double C2 = 1 / 2d;
  double C3 = 1 / 6d;
  double C4 = 1 / 24d;
  double C5 = 1 / 120d;
  double C6 = 1 / 720d;
  double C7 = 1 / 5040d;
  double C8 = 1 / 40320d;
  double C9 = 1 / 362880d;

  /** The same of floats; ln 2 in two parts, for one has too few digits. */
  float FLOAT_LEAST = -104;

  float FLOAT_MOST = 89;
  float FLOAT_PER_LN_2 = (float) PER_LN_2;
  float LN_2_HIGH = 0x1.62e4p-1f;
  float LN_2_LOW = (float) (LN_2 - LN_2_HIGH);

  /** {@link #ROUNDING} of floats, and its bits. */
  float FLOAT_ROUNDING = 0x1.8p23f;

  int ROUNDING_BITS = 0x4b400000;

  /** The fastest way here. */
  static Exponentials make() {
    return VectorModule.usable() ? new ExponentialVectors() : new ExponentialArrays();
  }

  /** The first {@code count} x become eˣ, down to 0 from -709 and up to infinity from 710 on. */
  void of(double[] x, int count);

  /**
   * {@code count} x from one on become e^(x − shift), computed in floats: the one nearest to that
   * or a neighbour of it. The series ends at r⁷, and 2ⁿ is multiplied in two parts, for there are
   * results below the least one and above the most.
   */
  void shifted(float[] x, int from, float shift, int count);
}
