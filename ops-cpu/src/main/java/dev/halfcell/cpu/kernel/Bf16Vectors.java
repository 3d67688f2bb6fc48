package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.FloatVectors.FLOATS;
import static dev.halfcell.cpu.kernel.Transfers.MEMORY;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * In vectors, straight between memory and the heap. Only where {@link VectorModule#usable} holds.
 *
 * <p>The loops call no helper of ours. They are inlined into much else, and once a method has more
 * nodes than the JIT takes, it inlines no more but the inside of the Vector API: a helper's vectors
 * became objects then, a hundred times slower (ADR 0007). The helpers are for loops that are
 * compiled alone.
 */
final class Bf16Vectors implements Bf16 {
  private static final VectorSpecies<Integer> INTS =
      VectorSpecies.of(int.class, FLOATS.vectorShape());
  private static final VectorSpecies<Short> HALVES =
      VectorSpecies.of(short.class, VectorShape.forBitSize(FLOATS.vectorBitSize() / 2));
  private static final int LENGTH = FLOATS.length();

  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  static final ValueLayout.OfShort HALF = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final int QUIET = 0x00400000;

  @Override
  public void load(long address, float[] to, int count) {
    int bound = FLOATS.loopBound(count);
    for (int i = 0; i < bound; i += LENGTH) {
      ((IntVector)
              ShortVector.fromMemorySegment(HALVES, MEMORY, address + 2L * i, ORDER)
                  .convertShape(VectorOperators.ZERO_EXTEND_S2I, INTS, 0))
          .lanewise(VectorOperators.LSHL, 16)
          .reinterpretAsFloats()
          .intoArray(to, i);
    }
    for (int i = bound; i < count; i++) {
      to[i] = single(address + 2L * i);
    }
  }

  @Override
  public void loadMasked(long address, long mask, float[] to, int count) {
    int bound = FLOATS.loopBound(count);
    for (int i = 0; i < bound; i += LENGTH) {
      FloatVector values =
          ((IntVector)
                  ShortVector.fromMemorySegment(HALVES, MEMORY, address + 2L * i, ORDER)
                      .convertShape(VectorOperators.ZERO_EXTEND_S2I, INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats();
      FloatVector above =
          ((IntVector)
                  ShortVector.fromMemorySegment(HALVES, MEMORY, mask + 2L * i, ORDER)
                      .convertShape(VectorOperators.ZERO_EXTEND_S2I, INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .reinterpretAsFloats();
      FloatVector.zero(FLOATS)
          .blend(values, above.compare(VectorOperators.GT, 0f))
          .intoArray(to, i);
    }
    for (int i = bound; i < count; i++) {
      to[i] = single(mask + 2L * i) > 0 ? single(address + 2L * i) : 0;
    }
  }

  @Override
  public void store(float[] from, long address, int count) {
    int bound = FLOATS.loopBound(count);
    for (int i = 0; i < bound; i += LENGTH) {
      FloatVector values = FloatVector.fromArray(FLOATS, from, i);
      IntVector bits = values.reinterpretAsInts();
      IntVector up = bits.lanewise(VectorOperators.LSHR, 16).and(1).add(0x7fff).add(bits);
      VectorMask<Integer> nans = values.test(VectorOperators.IS_NAN).cast(INTS);
      up.blend(bits.or(QUIET), nans)
          .lanewise(VectorOperators.LSHR, 16)
          .convertShape(VectorOperators.I2S, HALVES, 0)
          .intoMemorySegment(MEMORY, address + 2L * i, ORDER);
    }
    for (int i = bound; i < count; i++) {
      MEMORY.set(HALF, address + 2L * i, rounded(from[i]));
    }
  }

  @Override
  public void round(float[] values, int count) {
    int bound = FLOATS.loopBound(count);
    for (int i = 0; i < bound; i += LENGTH) {
      FloatVector some = FloatVector.fromArray(FLOATS, values, i);
      IntVector bits = some.reinterpretAsInts();
      IntVector up = bits.lanewise(VectorOperators.LSHR, 16).and(1).add(0x7fff).add(bits);
      VectorMask<Integer> nans = some.test(VectorOperators.IS_NAN).cast(INTS);
      up.blend(bits.or(QUIET), nans).and(0xffff0000).reinterpretAsFloats().intoArray(values, i);
    }
    for (int i = bound; i < count; i++) {
      values[i] = Float.intBitsToFloat(rounded(values[i]) << 16);
    }
  }

  /** The elements at an address. */
  static ShortVector halves(long address) {
    return ShortVector.fromMemorySegment(HALVES, MEMORY, address, ORDER);
  }

  /** Elements as floats. */
  static FloatVector widened(ShortVector halves) {
    return ((IntVector) halves.convertShape(VectorOperators.ZERO_EXTEND_S2I, INTS, 0))
        .lanewise(VectorOperators.LSHL, 16)
        .reinterpretAsFloats();
  }

  /** The bits of floats, rounded: their upper halves are those of BF16. */
  static IntVector rounded(IntVector bits, VectorMask<Integer> nans) {
    return bits.lanewise(VectorOperators.LSHR, 16)
        .and(1)
        .add(0x7fff)
        .add(bits)
        .blend(bits.or(QUIET), nans);
  }

  /** Which floats are none. */
  static VectorMask<Integer> nans(FloatVector values) {
    return values.test(VectorOperators.IS_NAN).cast(INTS);
  }

  /** Puts the upper halves of words at an address. */
  static void put(IntVector words, long address) {
    words
        .lanewise(VectorOperators.LSHR, 16)
        .convertShape(VectorOperators.I2S, HALVES, 0)
        .intoMemorySegment(MEMORY, address, ORDER);
  }

  /** The one element at an address. */
  static float single(long address) {
    return Float.intBitsToFloat(MEMORY.get(HALF, address) << 16);
  }

  /** The bits of a float, rounded. */
  static short rounded(float value) {
    int bits = Float.floatToRawIntBits(value);
    int up = 0x7fff + (bits >>> 16 & 1);
    return (short) ((Float.isNaN(value) ? bits | QUIET : bits + up) >>> 16);
  }
}
