package dev.halfcell.op.precision;

import dev.halfcell.tensor.DType;

/**
 * What a {@link Cast} makes of a finite number that is too large for the dtype it casts to. A NaN
 * or an infinity that comes in goes out as it is in any case: it did not overflow here.
 *
 * <p>Source: IEEE 754-2019, section 7.4 (an infinity); Graphcore, IPU programmer's guide, "NANOO"
 * (NaN on overflow, else the largest number).
 */
public enum CastOverflow {
  /** An infinity of its sign. */
  INF,
  /** A NaN. */
  NAN,
  /** The largest finite number of its sign: 65504 in FP16. */
  SATURATE;

  /** What is to be rounded to {@code to} in place of {@code exact}. */
  public double bounded(double exact, DType to) {
    boolean overflows = Double.isFinite(exact) && Double.isInfinite(to.round(exact));
    return overflows ? instead(exact, to) : exact;
  }

  /** What stands for a number of this sign that is too large. */
  public double instead(double sign, DType to) {
    return switch (this) {
      case INF -> Math.copySign(Double.POSITIVE_INFINITY, sign);
      case NAN -> Double.NaN;
      case SATURATE -> Math.copySign(to.largest(), sign);
    };
  }
}
