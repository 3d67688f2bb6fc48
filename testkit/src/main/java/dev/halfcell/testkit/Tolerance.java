package dev.halfcell.testkit;

import dev.halfcell.tensor.DType;

/**
 * How far a result may be from the reference's: absolute + relative · |want|, and one unit in the
 * last place of a half dtype.
 */
public record Tolerance(DType dtype, double absolute, double relative) {
  /** No difference at all; of zeros the sign does not count. */
  public static Tolerance none(DType dtype) {
    return new Tolerance(dtype, 0, 0);
  }

  /** For results of this dtype, each the sum of at most {@code summed} numbers. */
  public static Tolerance of(DType dtype, int summed) {
    return dtype.floating() ? new Tolerance(dtype, 1e-5 * Math.sqrt(summed), 1e-4) : none(dtype);
  }

  /**
   * The same for sums of numbers that are rounded to a half dtype on the way, where a difference in
   * the last bit of FP32 may round one of them to the other side.
   */
  Tolerance ofSumsIn(DType half, int summed) {
    return new Tolerance(dtype, unit(half) * Math.sqrt(summed), unit(half));
  }

  /** The largest relative error of a rounding to a half dtype. */
  static double unit(DType half) {
    return half == DType.FP16 ? 0x1p-11 : 0x1p-8;
  }

  /** Whether {@code got} is near enough to {@code want}; a NaN only to a NaN. */
  public boolean allows(double want, double got) {
    if (Double.isNaN(want)) {
      return Double.isNaN(got);
    }
    return want == got || Math.abs(want - got) <= allowed(want);
  }

  /** The difference of two finite numbers as a share of what is allowed. */
  double share(double want, double got) {
    return want == got ? 0 : Math.abs(want - got) / allowed(want);
  }

  private double allowed(double want) {
    double rounding = absolute > 0 && dtype.half() ? unitInLastPlace(want) : 0;
    return absolute + relative * Math.abs(want) + rounding;
  }

  private double unitInLastPlace(double value) {
    boolean binary16 = dtype == DType.FP16;
    int exponent = Math.max(Math.getExponent(value), binary16 ? -14 : Float.MIN_EXPONENT);
    return Math.scalb(1.0, exponent - (binary16 ? 10 : 7));
  }
}
