package dev.halfcell.tensor;

/**
 * The bits of a {@link DType#BF16} number. (For {@link DType#FP16} the JDK has {@link
 * Float#floatToFloat16}.)
 *
 * <p>Source: Intel, "BFLOAT16 – Hardware Numerics Definition", 2018, section 1.
 */
public final class Half {
  private Half() {}

  /** The BF16 nearest to {@code value}, ties to even; a NaN stays a NaN. */
  public static short fromFloat(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) (bits >>> 16 | 0x40);
    }
    return (short) (bits + 0x7FFF + (bits >>> 16 & 1) >>> 16);
  }

  /** The value of BF16 bits, exactly. */
  public static float toFloat(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }
}
