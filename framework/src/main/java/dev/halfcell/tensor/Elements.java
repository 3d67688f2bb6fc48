package dev.halfcell.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Single elements of any dtype in memory, read and written as doubles: slow, plain and right. */
public final class Elements {
  private Elements() {}

  /** Element {@code index} of {@code data}, exactly. */
  public static double get(MemorySegment data, DType dtype, long index) {
    return switch (dtype) {
      case FP64 -> data.getAtIndex(ValueLayout.JAVA_DOUBLE, index);
      case FP32 -> data.getAtIndex(ValueLayout.JAVA_FLOAT, index);
      case FP16 -> Float.float16ToFloat(data.getAtIndex(ValueLayout.JAVA_SHORT, index));
      case BF16 -> Half.toFloat(data.getAtIndex(ValueLayout.JAVA_SHORT, index));
      case INT64 -> data.getAtIndex(ValueLayout.JAVA_LONG, index);
      case INT32 -> data.getAtIndex(ValueLayout.JAVA_INT, index);
      case UINT8, BOOL -> data.get(ValueLayout.JAVA_BYTE, index) & 0xFF;
    };
  }

  /**
   * Element {@code index} of integers, exactly: a double would lose the last digits of a large one.
   */
  public static long whole(MemorySegment data, DType dtype, long index) {
    return dtype == DType.INT64
        ? data.getAtIndex(ValueLayout.JAVA_LONG, index)
        : (long) get(data, dtype, index);
  }

  /** Writes {@code value} as element {@code index}, rounded as {@link DType#round} does. */
  public static void set(MemorySegment data, DType dtype, long index, double value) {
    switch (dtype) {
      case FP64 -> data.setAtIndex(ValueLayout.JAVA_DOUBLE, index, value);
      case FP32 -> data.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) value);
      case FP16 ->
          data.setAtIndex(ValueLayout.JAVA_SHORT, index, Float.floatToFloat16(DType.toOdd(value)));
      case BF16 ->
          data.setAtIndex(ValueLayout.JAVA_SHORT, index, Half.fromFloat(DType.toOdd(value)));
      case INT64 -> data.setAtIndex(ValueLayout.JAVA_LONG, index, (long) value);
      case INT32 -> data.setAtIndex(ValueLayout.JAVA_INT, index, (int) value);
      case UINT8, BOOL -> data.set(ValueLayout.JAVA_BYTE, index, (byte) dtype.round(value));
    }
  }
}
