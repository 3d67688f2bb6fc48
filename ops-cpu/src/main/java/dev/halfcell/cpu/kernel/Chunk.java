package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.UnsupportedException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import org.jspecify.annotations.Nullable;

/**
 * Elements on the heap as floats, between memory, in any floating dtype or as truth values, and a
 * loop. The JIT vectorises loops over arrays and not those over memory segments; the size keeps
 * them in the first cache. What converts a dtype is made when that dtype is first met, so that
 * copying allocates nothing after that. One thread.
 */
final class Chunk {
  /** The most elements. */
  static final int SIZE = 4096;

  private static final boolean VECTORS = VectorModule.usable();

  final float[] values;
  private short[] halves = {};
  private @Nullable Bf16 bf16;
  private byte[] bytes = {};

  Chunk() {
    this(SIZE);
  }

  /** One that is as large as a certain piece of work asks. */
  Chunk(int size) {
    values = new float[size];
  }

  /** What one of this size takes at most, with room for all dtypes. */
  static long bytes(int size) {
    int pairs = 2 * Integer.BYTES + Long.BYTES;
    return (Float.BYTES + Short.BYTES + pairs / 2 + 1L) * size;
  }

  /** Most chunks are of one dtype for good; the first of another makes room for it. */
  private void makeRoom(DType dtype) {
    if (dtype == DType.FP16 && halves.length < values.length) {
      halves = new short[values.length];
    }
    if (dtype == DType.BOOL && bytes.length < values.length) {
      bytes = new byte[values.length];
    }
  }

  /** Fetches {@code count} elements of an operand from position {@code index} on. */
  void load(Operand from, long index, int count) {
    DType dtype = from.dtype();
    long address = from.address(index, count);
    makeRoom(dtype);
    switch (dtype) {
      case FP32 -> Transfers.read(address, values, count);
      case FP16 -> {
        Transfers.read(address, halves, count);
        widenFp16(halves, values, count);
      }
      case BF16 -> bf16().load(address, values, count);
      case BOOL -> {
        Transfers.read(address, bytes, count);
        widenBytes(bytes, values, count);
      }
      case FP64, INT64, INT32, UINT8 -> throw unsupported(dtype);
    }
  }

  /** Puts {@code count} elements at position {@code index}, each rounded to nearest even. */
  void store(Operand to, long index, int count) {
    DType dtype = to.dtype();
    long address = to.address(index, count);
    makeRoom(dtype);
    switch (dtype) {
      case FP32 -> Transfers.write(values, address, count);
      case FP16 -> {
        narrowFp16(values, halves, count);
        Transfers.write(halves, address, count);
      }
      case BF16 -> bf16().store(values, address, count);
      case BOOL -> {
        narrowBytes(values, bytes, count);
        Transfers.write(bytes, address, count);
      }
      case FP64, INT64, INT32, UINT8 -> throw unsupported(dtype);
    }
  }

  /** Rounds the first {@code count} elements to a dtype; they are FP32 already. */
  void round(DType dtype, int count) {
    makeRoom(dtype);
    switch (dtype) {
      case FP32 -> {}
      case FP16 -> {
        narrowFp16(values, halves, count);
        widenFp16(halves, values, count);
      }
      case BF16 -> bf16().round(values, count);
      case FP64, INT64, INT32, UINT8, BOOL -> throw unsupported(dtype);
    }
  }

  /**
   * Fetches elements of {@code from} where those of {@code mask} are above 0, and zeros elsewhere.
   *
   * @param words room to mask in
   */
  void loadMasked(Operand from, Operand mask, long index, int count, PositiveMask words) {
    if (from.dtype() == DType.BF16 && mask.dtype() == DType.BF16) {
      bf16().loadMasked(from.address(index, count), mask.address(index, count), values, count);
      return;
    }
    if (VECTORS && from.dtype() == DType.FP32 && mask.dtype() == DType.FP32) {
      MaskVectors.load(from.address(index, count), mask.address(index, count), values, count);
      return;
    }
    int[] left = words.of(from, mask, index, count).words();
    if (from.dtype() == DType.FP16 && mask.dtype() == DType.FP16) {
      makeRoom(DType.FP16);
      Transfers.bits(left, halves, count);
      widenFp16(halves, values, count);
    } else {
      Transfers.bits(left, values, count);
    }
  }

  private Bf16 bf16() {
    if (bf16 == null) {
      bf16 = Bf16.of(values.length);
    }
    return bf16;
  }

  /** Puts the bits of {@code count} floats into words. */
  void copyTo(Words words, int count) {
    Transfers.bits(values, words.words(), count);
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
