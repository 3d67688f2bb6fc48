package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.UnsupportedException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;

/**
 * Elements on the heap as floats, between memory, in any floating dtype or as truth values, and a
 * loop. The JIT vectorises loops over arrays and not those over memory segments; the size keeps
 * them in the first cache. The arrays are made and wrapped when they are first used, so that
 * copying allocates nothing after that. One thread.
 */
final class Chunk {
  /** The most elements. */
  static final int SIZE = 4096;

  /** The order in which elements stand in a chunk. */
  enum Order {
    /** As in memory. */
    SEQUENTIAL,
    /**
     * For loops that work place by place, where all operands are BF16: first those of even places,
     * then those of odd ones. Two elements in one word are taken apart and put together by whole
     * vectors. An odd number of elements stands as in memory.
     */
    PAIRED;

    /** The faster one for loops over these operands that do not ask for places. */
    static Order of(Stream<Operand> operands) {
      return operands.allMatch(x -> x.dtype() == DType.BF16) ? PAIRED : SEQUENTIAL;
    }

    /** Which of {@code count} elements stands at {@code index}. */
    int place(int index, int count) {
      int half = count / 2;
      if (this == SEQUENTIAL || count % 2 != 0) {
        return index;
      }
      return index < half ? 2 * index : 2 * (index - half) + 1;
    }
  }

  final float[] values;
  private final MemorySegment valuesInMemory;
  private int[] bits = {};
  private MemorySegment bitsInMemory = MemorySegment.ofArray(bits);
  private short[] halves = {};
  private MemorySegment halvesInMemory = MemorySegment.ofArray(halves);
  private byte[] bytes = {};
  private MemorySegment bytesInMemory = MemorySegment.ofArray(bytes);
  private Words pairs = new Words(0);
  private Words even = new Words(0);
  private Words odd = new Words(0);

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
    long sequential = Integer.BYTES + Short.BYTES;
    return (Float.BYTES + 2 * sequential + 1) * size;
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

  /** Fetches {@code count} elements of an operand from position {@code index} on. */
  void load(Operand from, long index, int count, Order order) {
    if (pairs(from.dtype(), count, order)) {
      pairs.load(from, index, count);
      widenPairs(count);
    } else {
      load(from.region().data(), from.dtype(), index, count);
    }
  }

  /**
   * Fetches elements of {@code from} where those of {@code mask} are above 0, and zeros elsewhere.
   *
   * @param words room to mask in
   */
  void loadMasked(
      Operand from, Operand mask, long index, int count, Order order, PositiveMask words) {
    Words masked = words.of(from, mask, index, count);
    if (mask.dtype() != from.dtype()) {
      load(masked.memory(), DType.FP32, 0, count);
    } else if (pairs(from.dtype(), count, order)) {
      pairs.copy(masked, count / 2);
      widenPairs(count);
    } else {
      load(masked.memory(), from.dtype(), 0, count);
    }
  }

  /** Puts the bits of {@code count} floats into words. */
  void copyTo(Words words, int count) {
    MemorySegment.copy(valuesInMemory, 0, words.memory(), 0, 4L * count);
  }

  /** Puts {@code count} elements at position {@code index}, each rounded to nearest even. */
  void store(Operand to, long index, int count, Order order) {
    if (pairs(to.dtype(), count, order)) {
      narrowPairs(count);
      pairs.store(to, index, count);
    } else {
      store(to.region().data(), to.dtype(), index, count);
    }
  }

  private boolean pairs(DType dtype, int count, Order order) {
    boolean paired = order == Order.PAIRED && dtype == DType.BF16 && count % 2 == 0;
    if (paired && pairs.words().length * 2 < values.length) {
      int half = Math.ceilDiv(values.length, 2);
      pairs = new Words(half);
      even = new Words(half);
      odd = new Words(half);
    }
    return paired;
  }

  private void widenPairs(int count) {
    int half = count / 2;
    widenLower(pairs.words(), even.words(), half);
    widenUpper(pairs.words(), odd.words(), half);
    MemorySegment.copy(even.memory(), 0, valuesInMemory, 0, 4L * half);
    MemorySegment.copy(odd.memory(), 0, valuesInMemory, 4L * half, 4L * half);
  }

  private void narrowPairs(int count) {
    int half = count / 2;
    MemorySegment.copy(valuesInMemory, 0, even.memory(), 0, 4L * half);
    MemorySegment.copy(valuesInMemory, 4L * half, odd.memory(), 0, 4L * half);
    roundPairs(even.words(), odd.words(), pairs.words(), half);
  }

  private static void widenLower(int[] pairs, int[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = pairs[i] << 16;
    }
  }

  private static void widenUpper(int[] pairs, int[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = pairs[i] & 0xffff0000;
    }
  }

  private static void roundPairs(int[] even, int[] odd, int[] pairs, int count) {
    for (int i = 0; i < count; i++) {
      pairs[i] = roundedBf16(even[i]) >>> 16 | roundedBf16(odd[i]) & 0xffff0000;
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
   * The bits of a float in whose upper 16 is its BF16 in nearest-even rounding, without a branch: a
   * NaN keeps its payload and becomes quiet.
   */
  private static int roundedBf16(int bits) {
    int nan = 0x7f800000 - (bits & 0x7fffffff) >> 31;
    return bits + (0x7fff + (bits >>> 16 & 1) & ~nan) | nan & 0x400000;
  }

  /**
   * Rounding and narrowing are two loops, over ints, because the JIT vectorises each of them and
   * not both at once.
   */
  private static void roundBf16(int[] values, int count) {
    for (int i = 0; i < count; i++) {
      values[i] = roundedBf16(values[i]) >>> 16;
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
