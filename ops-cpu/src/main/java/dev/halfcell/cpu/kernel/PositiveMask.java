package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.DType;

/**
 * Elements where those of a mask are above 0, and zeros elsewhere, on their bits: no dtype has to
 * be converted, and two halves are looked at in one word. One thread.
 *
 * <p>An element is above 0 exactly where its bits, as an unsigned number, are from 1 to those of
 * infinity: a NaN is not.
 */
final class PositiveMask {
  private static final int SIGNS = 0x80008000;
  private static final int MAGNITUDES = 0x7fff7fff;

  /** What lifts the magnitudes of NaNs, and no others, to 0x8000, in both halves of a word. */
  private static final int FP16_TO_NAN = 0x03ff03ff;

  private static final int BF16_TO_NAN = 0x007f007f;

  private final Words elements;
  private final Words mask;
  private final Chunk wide;

  /** For {@code size} elements at most. */
  PositiveMask(int size) {
    elements = new Words(size);
    mask = new Words(size);
    wide = new Chunk(size);
  }

  /** One that works in the scratch of a part. */
  static PositiveMask in(Scratch scratch, int size) {
    long bytes = 2L * Integer.BYTES * size + Chunk.bytes(size);
    return scratch.take(PositiveMask.class, size, bytes, () -> new PositiveMask(size));
  }

  /**
   * The elements that are left, until the next call: as in memory, or as floats where the mask is
   * of another dtype.
   */
  Words of(Operand from, Operand by, long index, int count) {
    if (by.dtype() == from.dtype()) {
      elements.load(from, index, count);
      mask.load(by, index, count);
      apply(from.dtype(), count);
    } else {
      wide.load(from, index, count);
      wide.copyTo(elements, count);
      wide.load(by, index, count);
      wide.copyTo(mask, count);
      apply(DType.FP32, count);
    }
    return elements;
  }

  /** Leaves those of {@code count} BF16 elements, two in a word. */
  static void apply(int[] elements, int[] mask, int count) {
    halves(elements, mask, Math.ceilDiv(count, 2), BF16_TO_NAN);
  }

  private void apply(DType dtype, int count) {
    switch (dtype) {
      case FP32 -> floats(elements.words(), mask.words(), count);
      case FP16 -> halves(elements.words(), mask.words(), Math.ceilDiv(count, 2), FP16_TO_NAN);
      case BF16 -> halves(elements.words(), mask.words(), Math.ceilDiv(count, 2), BF16_TO_NAN);
      case FP64, INT64, INT32, UINT8, BOOL -> throw Chunk.unsupported(dtype);
    }
  }

  private static void floats(int[] elements, int[] mask, int count) {
    for (int i = 0; i < count; i++) {
      int bits = mask[i];
      elements[i] &= (-bits & bits - 0x7f800001) >> 31;
    }
  }

  /**
   * Sums of 15 bits show in their 16th whether they are above a bound.
   *
   * @param toNan what lifts the magnitudes of NaNs to 0x8000
   */
  private static void halves(int[] elements, int[] mask, int count, int toNan) {
    for (int i = 0; i < count; i++) {
      int magnitudes = mask[i] & MAGNITUDES;
      int positive = magnitudes + MAGNITUDES & ~mask[i] & ~(magnitudes + toNan) & SIGNS;
      elements[i] &= positive | positive - (positive >>> 15);
    }
  }
}
