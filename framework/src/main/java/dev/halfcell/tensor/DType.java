package dev.halfcell.tensor;

import java.util.Locale;

/**
 * How a number is stored. Arithmetic is wider than storage; {@link #round} is the one rounding at
 * its end.
 *
 * <p>Source: IEEE 754-2019 for {@code FP64}, {@code FP32} and {@code FP16} (binary16); {@code BF16}
 * is the upper half of {@code FP32}.
 */
public enum DType {
  /** IEEE binary64, for checks: no plan ever casts to or from it. */
  FP64(8),
  /** IEEE binary32. */
  FP32(4),
  /** IEEE binary16: 5 bits of exponent, 11 of significand, largest value 65504. */
  FP16(2),
  /** The upper 16 bits of a binary32: 8 bits of exponent, 8 of significand. */
  BF16(2),
  /** Labels, sample numbers and counters. */
  INT64(8),
  /** Sequence lengths and wide indices. */
  INT32(4),
  /** Positions inside a pooling window, and raw pixels. */
  UINT8(1),
  /** Truth values, one byte each. */
  BOOL(1);

  private final int bytes;

  DType(int bytes) {
    this.bytes = bytes;
  }

  /** The storage of one element, in bytes. */
  public int bytes() {
    return bytes;
  }

  /** Whether values are floating-point numbers, the only ones that a precision plan casts. */
  public boolean floating() {
    return switch (this) {
      case FP64, FP32, FP16, BF16 -> true;
      case INT64, INT32, UINT8, BOOL -> false;
    };
  }

  /** Whether this is one of the two 16-bit floating types. */
  public boolean half() {
    return this == FP16 || this == BF16;
  }

  /** The largest finite value. */
  public double largest() {
    return switch (this) {
      case FP64 -> Double.MAX_VALUE;
      case FP32 -> Float.MAX_VALUE;
      case FP16 -> 65504;
      case BF16 -> 0x1.FEp127;
      case INT64 -> Long.MAX_VALUE;
      case INT32 -> Integer.MAX_VALUE;
      case UINT8 -> 0xFF;
      case BOOL -> 1;
    };
  }

  /** The smallest number above 0 that is held with all bits of the significand. */
  public double smallestNormal() {
    return switch (this) {
      case FP64 -> Double.MIN_NORMAL;
      case FP32, BF16 -> Float.MIN_NORMAL;
      case FP16 -> 0x1p-14;
      case INT64, INT32, UINT8, BOOL -> 1;
    };
  }

  /** What sums, statistics and parameter gradients of this type are kept in. */
  public DType wide() {
    return half() ? FP32 : this;
  }

  /**
   * The value of this type nearest to {@code exact}, ties to even, computed with a single rounding.
   * Integers are truncated toward zero.
   */
  public double round(double exact) {
    return switch (this) {
      case FP64 -> exact;
      case FP32 -> (float) exact;
      case FP16 -> Float.float16ToFloat(Float.floatToFloat16(toOdd(exact)));
      case BF16 -> Half.toFloat(Half.fromFloat(toOdd(exact)));
      case INT64 -> (long) exact;
      case INT32 -> (int) exact;
      case UINT8 -> (int) exact & 0xFF;
      case BOOL -> exact == 0 ? 0 : 1;
    };
  }

  /**
   * To float with an odd last bit where inexact: to nearest twice (double, float, half) would round
   * twice.
   */
  public static float toOdd(double exact) {
    float near = (float) exact;
    boolean exactOrOdd = near == exact || (Float.floatToRawIntBits(near) & 1) == 1;
    return exactOrOdd || Double.isNaN(exact) || Float.isInfinite(near)
        ? near
        : Math.nextAfter(near, exact);
  }

  /** The name as users write it: {@code fp16}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
