package dev.halfcell.cpu.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies between memory at an address and arrays, and of bits between arrays of different types.
 *
 * <p>An access to a segment of memory is an instruction only where the JIT knows what kind of
 * segment it is. It forgets that for a segment that comes from a field or a parameter, for segments
 * of all kinds meet in the same code of Java, and then each copy is a chain of calls that takes
 * longer than the copying. So memory is one constant segment here, and arrays are wrapped where
 * they are used.
 */
final class Transfers {
  /** All memory outside the heap; who reads or writes at an address has checked it. */
  static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final ValueLayout.OfShort SHORTS = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INTS = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfFloat FLOATS = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private static final ValueLayout.OfLong LONGS = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfDouble DOUBLES = ValueLayout.JAVA_DOUBLE_UNALIGNED;

  private Transfers() {}

  static void read(long address, float[] to, int count) {
    MemorySegment.copy(MEMORY, FLOATS, address, to, 0, count);
  }

  static void read(long address, short[] to, int count) {
    MemorySegment.copy(MEMORY, SHORTS, address, to, 0, count);
  }

  static void read(long address, int[] to, int count) {
    MemorySegment.copy(MEMORY, INTS, address, to, 0, count);
  }

  static void read(long address, byte[] to, int count) {
    MemorySegment.copy(MEMORY, ValueLayout.JAVA_BYTE, address, to, 0, count);
  }

  static void write(float[] from, long address, int count) {
    MemorySegment.copy(from, 0, MEMORY, FLOATS, address, count);
  }

  static void write(short[] from, long address, int count) {
    MemorySegment.copy(from, 0, MEMORY, SHORTS, address, count);
  }

  static void write(int[] from, long address, int count) {
    MemorySegment.copy(from, 0, MEMORY, INTS, address, count);
  }

  static void write(byte[] from, long address, int count) {
    MemorySegment.copy(from, 0, MEMORY, ValueLayout.JAVA_BYTE, address, count);
  }

  /** Between addresses. */
  static void copy(long from, long to, long bytes) {
    MemorySegment.copy(MEMORY, from, MEMORY, to, bytes);
  }

  /** Fills with zeros. */
  static void clear(long address, long bytes) {
    MEMORY.asSlice(address, bytes).fill((byte) 0);
  }

  /** Bytes of ints, the last of which may be in use in part. */
  static void readBytes(long address, int[] to, int bytes) {
    MemorySegment.copy(MEMORY, address, MemorySegment.ofArray(to), 0, bytes);
  }

  /** Bytes of ints, the last of which may be in use in part. */
  static void writeBytes(int[] from, long address, int bytes) {
    MemorySegment.copy(MemorySegment.ofArray(from), 0, MEMORY, address, bytes);
  }

  /** The bits of {@code count} floats. */
  static void bits(float[] from, int[] to, int count) {
    MemorySegment.copy(MemorySegment.ofArray(from), INTS, 0, to, 0, count);
  }

  /** The bits of {@code count} floats. */
  static void bits(int[] from, float[] to, int count) {
    MemorySegment.copy(MemorySegment.ofArray(from), FLOATS, 0, to, 0, count);
  }

  /** The bits of {@code count} doubles. */
  static void bits(double[] from, long[] to, int count) {
    MemorySegment.copy(MemorySegment.ofArray(from), LONGS, 0, to, 0, count);
  }

  /** The bits of {@code count} doubles. */
  static void bits(long[] from, double[] to, int count) {
    MemorySegment.copy(MemorySegment.ofArray(from), DOUBLES, 0, to, 0, count);
  }

  /** The bits of {@code count} halves, two in an int. */
  static void bits(int[] from, short[] to, int count) {
    MemorySegment.copy(MemorySegment.ofArray(from), SHORTS, 0, to, 0, count);
  }

  /** The bits of {@code count} floats, two in a long. */
  static void bits(float[] from, long[] to, int count) {
    MemorySegment.copy(from, 0, MemorySegment.ofArray(to), FLOATS, 0, count);
  }

  /** The bits of {@code count} floats, two in a long. */
  static void bits(long[] from, float[] to, int count) {
    MemorySegment.copy(MemorySegment.ofArray(from), FLOATS, 0, to, 0, count);
  }
}
