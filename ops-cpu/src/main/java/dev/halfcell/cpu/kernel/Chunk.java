package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.UnsupportedException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import java.lang.foreign.MemorySegment;

/**
 * Elements on the heap as floats, between memory, in any floating dtype or as truth values, and a
 * loop. The JIT vectorises loops over arrays and not those over memory segments; the size keeps
 * them in the first cache. The arrays are made and wrapped when they are first used, so that
 * copying allocates nothing after that. One thread.
 */
final class Chunk {
  /** The most elements. */
  static final int SIZE = 4096;

  final float[] values;
  private final MemorySegment valuesInMemory;
  private short[] halves = {};
  private MemorySegment halvesInMemory = MemorySegment.ofArray(halves);
  private Words pairs = new Words(0);
  private long[] widePairs = {};
  private MemorySegment widePairsInMemory = MemorySegment.ofArray(widePairs);
  private byte[] bytes = {};
  private MemorySegment bytesInMemory = MemorySegment.ofArray(bytes);

  Chunk() {
    this(SIZE);
  }

  /** One that is as large as a certain piece of work asks. */
  Chunk(int size) {
    values = new float[size];
    valuesInMemory = MemorySegment.ofArray(values);
  }

  /** What one of this size takes at most, with room for all dtypes. */
  static long bytes(int size) {
    int pair = Integer.BYTES + Long.BYTES;
    return (Float.BYTES + Short.BYTES + pair / 2 + 1L) * size;
  }

  /** Most chunks are of one dtype for good; the first of another makes room for it. */
  private void makeRoom(DType dtype) {
    if (dtype == DType.FP16 && halves.length < values.length) {
      halves = new short[values.length];
      halvesInMemory = MemorySegment.ofArray(halves);
    }
    if (dtype == DType.BF16 && widePairs.length * 2 < values.length) {
      int count = Math.ceilDiv(values.length, 2);
      pairs = new Words(count);
      widePairs = new long[count];
      widePairsInMemory = MemorySegment.ofArray(widePairs);
    }
    if (dtype == DType.BOOL && bytes.length < values.length) {
      bytes = new byte[values.length];
      bytesInMemory = MemorySegment.ofArray(bytes);
    }
  }

  /** Fetches {@code count} elements of an operand from position {@code index} on. */
  void load(Operand from, long index, int count) {
    load(from.region().data(), from.dtype(), index, count);
  }

  /** Puts {@code count} elements at position {@code index} of an operand, each rounded. */
  void store(Operand to, long index, int count) {
    store(to.region().data(), to.dtype(), index, count);
  }

  /**
   * Fetches elements of {@code from} where those of {@code mask} are above 0, and zeros elsewhere.
   *
   * @param words room to mask in
   */
  void loadMasked(Operand from, Operand mask, long index, int count, PositiveMask words) {
    boolean alike = from.dtype() == mask.dtype();
    load(words.of(from, mask, index, count).memory(), alike ? from.dtype() : DType.FP32, 0, count);
  }

  /** Puts the bits of {@code count} floats into words. */
  void copyTo(Words words, int count) {
    MemorySegment.copy(valuesInMemory, 0, words.memory(), 0, 4L * count);
  }

  /** Fetches {@code count} elements from position {@code index} on. */
  void load(MemorySegment from, DType dtype, long index, int count) {
    makeRoom(dtype);
    switch (dtype) {
      case FP32 -> MemorySegment.copy(from, index * 4, valuesInMemory, 0, 4L * count);
      case FP16 -> {
        MemorySegment.copy(from, index * 2, halvesInMemory, 0, 2L * count);
        widenFp16(halves, values, count);
      }
      case BF16 -> {
        MemorySegment.copy(from, index * 2, pairs.memory(), 0, 2L * count);
        widenBf16(pairs.words(), widePairs, Math.ceilDiv(count, 2));
        MemorySegment.copy(widePairsInMemory, 0, valuesInMemory, 0, 4L * count);
      }
      case BOOL -> {
        MemorySegment.copy(from, index, bytesInMemory, 0, count);
        widenBytes(bytes, values, count);
      }
      case FP64, INT64, INT32, UINT8 -> throw unsupported(dtype);
    }
  }

  /** Puts {@code count} elements at position {@code index}, each rounded to nearest even. */
  void store(MemorySegment to, DType dtype, long index, int count) {
    makeRoom(dtype);
    switch (dtype) {
      case FP32 -> MemorySegment.copy(valuesInMemory, 0, to, index * 4, 4L * count);
      case FP16 -> {
        narrowFp16(values, halves, count);
        MemorySegment.copy(halvesInMemory, 0, to, index * 2, 2L * count);
      }
      case BF16 -> {
        MemorySegment.copy(valuesInMemory, 0, widePairsInMemory, 0, 4L * count);
        narrowBf16(widePairs, pairs.words(), Math.ceilDiv(count, 2));
        MemorySegment.copy(pairs.memory(), 0, to, index * 2, 2L * count);
      }
      case BOOL -> {
        narrowBytes(values, bytes, count);
        MemorySegment.copy(bytesInMemory, 0, to, index, count);
      }
      case FP64, INT64, INT32, UINT8 -> throw unsupported(dtype);
    }
  }

  private static void widenFp16(short[] from, float[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Float.float16ToFloat(from[i]);
    }
  }

  private static void narrowFp16(float[] from, short[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Float.floatToFloat16(from[i]);
    }
  }

  /** Two elements at a time, for the JIT vectorises loops from ints to longs, not from shorts. */
  private static void widenBf16(int[] from, long[] to, int count) {
    for (int i = 0; i < count; i++) {
      long pair = from[i];
      to[i] = (pair & 0xffffL) << 16 | (pair & 0xffff0000L) << 32;
    }
  }

  private static void narrowBf16(long[] from, int[] to, int count) {
    for (int i = 0; i < count; i++) {
      long pair = roundedBf16(from[i]);
      to[i] = (int) (pair >>> 16 & 0xffffL | pair >>> 32 & 0xffff0000L);
    }
  }

  /**
   * The bits of two floats in whose upper 16 each are their BF16 in nearest-even rounding, without
   * a branch: a NaN keeps its payload and becomes quiet. No sum leaves its half: a number that is
   * no NaN is at most infinity, and to a NaN nothing is added.
   */
  private static long roundedBf16(long bits) {
    long magnitudes = bits & 0x7fffffff_7fffffffL;
    long nan = magnitudes + 0x007fffff_007fffffL & 0x80000000_80000000L;
    long nanMask = nan | nan - (nan >>> 31);
    long up = 0x00007fff_00007fffL + (bits >>> 16 & 0x00000001_00000001L);
    return bits + (up & ~nanMask) | nanMask & 0x00400000_00400000L;
  }

  /** Truth values as 1 and 0. */
  private static void widenBytes(byte[] from, float[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = from[i];
    }
  }

  private static void narrowBytes(float[] from, byte[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (byte) from[i];
    }
  }

  static UnsupportedException unsupported(DType dtype) {
    return new UnsupportedException(
        new Problem(
            "cpu",
            "",
            "fp32, fp16, bf16 or truth values",
            dtype.label(),
            "The CPU backend computes in fp32; fp64 is for checks on the reference backend."));
  }
}
