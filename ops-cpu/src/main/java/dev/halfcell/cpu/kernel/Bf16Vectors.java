package dev.halfcell.cpu.kernel;

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
 * In vectors, straight between memory and the heap. Only where {@link VectorModule#present} holds.
 *
 * <p>Loops with little in them: what the JIT makes of a vector is large until it is done, and in a
 * method that grows over its bound vectors stay objects, a hundred times slower.
 */
final class Bf16Vectors implements Bf16 {
  static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
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
      load(address + 2L * i).intoArray(to, i);
    }
    for (int i = bound; i < count; i++) {
      to[i] = single(address + 2L * i);
    }
  }

  @Override
  public void loadMasked(long address, long mask, float[] to, int count) {
    int bound = FLOATS.loopBound(count);
    for (int i = 0; i < bound; i += LENGTH) {
      VectorMask<Float> above = load(mask + 2L * i).compare(VectorOperators.GT, 0f);
      FloatVector.zero(FLOATS).blend(load(address + 2L * i), above).intoArray(to, i);
    }
    for (int i = bound; i < count; i++) {
      to[i] = single(mask + 2L * i) > 0 ? single(address + 2L * i) : 0;
    }
  }

  @Override
  public void store(float[] from, long address, int count) {
    int bound = FLOATS.loopBound(count);
    for (int i = 0; i < bound; i += LENGTH) {
      store(FloatVector.fromArray(FLOATS, from, i), address + 2L * i);
    }
    for (int i = bound; i < count; i++) {
      MEMORY.set(HALF, address + 2L * i, rounded(from[i]));
    }
  }

  @Override
  public void round(float[] values, int count) {
    int bound = FLOATS.loopBound(count);
    for (int i = 0; i < bound; i += LENGTH) {
      rounded(FloatVector.fromArray(FLOATS, values, i))
          .lanewise(VectorOperators.LSHL, 16)
          .reinterpretAsFloats()
          .intoArray(values, i);
    }
    for (int i = bound; i < count; i++) {
      values[i] = Float.intBitsToFloat(rounded(values[i]) << 16);
    }
  }

  /** Rounds a vector and puts it at an address. */
  static void store(FloatVector values, long address) {
    rounded(values)
        .convertShape(VectorOperators.I2S, HALVES, 0)
        .intoMemorySegment(MEMORY, address, ORDER);
  }

  /** A vector of the elements at an address. */
  static FloatVector load(long address) {
    return ((IntVector)
            ShortVector.fromMemorySegment(HALVES, MEMORY, address, ORDER)
                .convertShape(VectorOperators.ZERO_EXTEND_S2I, INTS, 0))
        .lanewise(VectorOperators.LSHL, 16)
        .reinterpretAsFloats();
  }

  /** The one element at an address. */
  static float single(long address) {
    return Float.intBitsToFloat(MEMORY.get(HALF, address) << 16);
  }

  private static IntVector rounded(FloatVector values) {
    IntVector bits = values.reinterpretAsInts();
    IntVector odd = bits.lanewise(VectorOperators.LSHR, 16).and(1);
    VectorMask<Integer> nan = values.test(VectorOperators.IS_NAN).cast(INTS);
    return bits.add(odd.add(0x7fff)).blend(bits.or(QUIET), nan).lanewise(VectorOperators.LSHR, 16);
  }

  /** The bits of a float, rounded. */
  static short rounded(float value) {
    int bits = Float.floatToRawIntBits(value);
    int up = 0x7fff + (bits >>> 16 & 1);
    return (short) ((Float.isNaN(value) ? bits | QUIET : bits + up) >>> 16);
  }
}
