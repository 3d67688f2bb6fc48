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
  private int[] bits = {};
  private MemorySegment bitsInMemory = MemorySegment.ofArray(bits);
  private short[] halves = {};
  private MemorySegment halvesInMemory = MemorySegment.ofArray(halves);
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
    return (Float.BYTES + Integer.BYTES + Short.BYTES + 1L) * size;
  }

  /** Most chunks are of one dtype for good; the first of another makes room for it. */
  private void makeRoom(DType dtype) {
    if (dtype.half() && halves.length < values.length) {
      halves = new short[values.length];
      halvesInMemory = MemorySegment.ofArray(halves);
    }
    if (dtype == DType.BF16 && bits.length < values.length) {
      bits = new int[values.length];
      bitsInMemory = MemorySegment.ofArray(bits);
    }
    if (dtype == DType.BOOL && bytes.length < values.length) {
      bytes = new byte[values.length];
      bytesInMemory = MemorySegment.ofArray(bytes);
    }
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
        MemorySegment.copy(from, index * 2, halvesInMemory, 0, 2L * count);
        widenBf16(halves, bits, count);
        MemorySegment.copy(bitsInMemory, 0, valuesInMemory, 0, 4L * count);
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
        MemorySegment.copy(valuesInMemory, 0, bitsInMemory, 0, 4L * count);
        roundBf16(bits, count);
        narrow(bits, halves, count);
        MemorySegment.copy(halvesInMemory, 0, to, index * 2, 2L * count);
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

  private static void widenBf16(short[] from, int[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = from[i];
    }
    for (int i = 0; i < count; i++) {
      to[i] <<= 16;
    }
  }

  /**
   * To the upper 16 bits in nearest-even rounding, without a branch: a NaN keeps its payload and
   * becomes quiet. Rounding and narrowing are two loops, over ints, because the JIT vectorises each
   * of them and not both at once.
   */
  private static void roundBf16(int[] values, int count) {
    for (int i = 0; i < count; i++) {
      int b = values[i];
      int nan = 0x7f800000 - (b & 0x7fffffff) >> 31;
      values[i] = (b + (0x7fff + (b >>> 16 & 1) & ~nan) | nan & 0x400000) >>> 16;
    }
  }

  private static void narrow(int[] from, short[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (short) from[i];
    }
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
