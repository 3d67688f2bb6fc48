package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.UnsupportedException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import java.util.List;

/**
 * The bits of floating-point numbers on the heap: whole numbers are enough to compare and to move
 * values that are not negative. 32-bit numbers stand in {@code words}, 16-bit ones in {@code
 * halves}.
 */
final class RawPlane {
  final boolean half;
  final int[] words;
  final short[] halves;
  private final int infinity;

  /** Room for an even number of elements. */
  static RawPlane in(Scratch scratch, DType dtype, int size) {
    return scratch.take(
        RawPlane.class,
        List.of(dtype, size),
        (long) Integer.BYTES * size,
        () -> new RawPlane(dtype, size));
  }

  private RawPlane(DType dtype, int size) {
    half = dtype.half();
    words = new int[half ? size / 2 : size];
    halves = new short[half ? size : 0];
    infinity = infinity(dtype);
  }

  /** The bits of infinity: larger ones, without the sign, are NaN. */
  static int infinity(DType dtype) {
    return switch (dtype) {
      case FP32 -> 0x7f800000;
      case BF16 -> 0x7f80;
      case FP16 -> 0x7c00;
      case FP64, INT64, INT32, UINT8, BOOL ->
          throw new UnsupportedException(
              new Problem("cpu", "", "fp32, fp16 or bf16", dtype.label(), "Cast the input."));
    };
  }

  void load(Operand operand, long index, int count) {
    long address = operand.address(index, count);
    if (half) {
      Transfers.read(address, halves, count);
    } else {
      Transfers.read(address, words, count);
    }
  }

  void store(Operand operand, long index, int count) {
    long address = operand.address(index, count);
    if (half) {
      Transfers.write(halves, address, count);
    } else {
      Transfers.write(words, address, count);
    }
  }

  /**
   * Whether an even number of elements in memory holds a NaN. 16-bit numbers are looked at in
   * pairs, for the JIT vectorises loops over ints.
   */
  boolean hasNan(Operand operand, long index, int count) {
    if (!half) {
      return anyAbove(words, count, 0x7fffffff, 0x7fffffff - infinity, 0x80000000);
    }
    Transfers.readBytes(operand.address(index, count), words, 2 * count);
    int room = 0x7fff - infinity;
    return anyAbove(words, count / 2, 0x7fff7fff, room << 16 | room, 0x80008000);
  }

  /** Without its sign, what is larger than infinity overflows into the sign when room is added. */
  private static boolean anyAbove(int[] words, int count, int noSign, int room, int signs) {
    int all = 0;
    for (int i = 0; i < count; i++) {
      all |= (words[i] & noSign) + room;
    }
    return (all & signs) != 0;
  }
}
