package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.Transfers.MEMORY;

import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * FP16 as vectors of floats, from where it lies, by sums of integers: Java 25 has no vectors of
 * FP16. Only where {@link VectorModule#usable} holds.
 *
 * <p>An FP16 has 5 bits of exponent around 15 and 10 of mantissa, a float 8 around 127 and 23. So
 * its magnitude moved up by 13 bits is that of the float but for the exponent, to which 127 - 15 is
 * added: once more for infinities and NaNs, whose exponent is the largest in both. Below the
 * smallest normal number there is no leading 1; it is put in front and subtracted as a float,
 * exactly. (A product with 2 to the 112 would do for both, but takes ten times as long and more
 * where it meets floats below their own smallest normal number.)
 */
final class Fp16Vectors {
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS =
      VectorSpecies.of(int.class, FLOATS.vectorShape());
  private static final VectorSpecies<Short> HALVES =
      VectorSpecies.of(short.class, VectorShape.forBitSize(FLOATS.vectorBitSize() / 2));
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private static final int MORE_MANTISSA = 23 - 10;
  private static final int REBIASED = 127 - 15 << 23;
  private static final int INFINITY = 0x7c00;
  private static final int SMALLEST_NORMAL = 0x0400;
  private static final int LEADING_ONE = 127 - 14 << 23;

  private Fp16Vectors() {}

  /** The bits of the elements at an address, each with its sign in all bits above. */
  static IntVector bits(long address) {
    return (IntVector)
        ShortVector.fromMemorySegment(HALVES, MEMORY, address, ORDER)
            .convertShape(VectorOperators.S2I, INTS, 0);
  }

  /** The bits without the sign, where a float has its own. */
  static IntVector magnitude(IntVector bits) {
    return bits.and(0x7fff).lanewise(VectorOperators.LSHL, MORE_MANTISSA);
  }

  /** The float of a magnitude that is no {@link #small} one. */
  static IntVector large(IntVector magnitude) {
    return magnitude
        .add(REBIASED)
        .add(REBIASED, magnitude.compare(VectorOperators.GE, INFINITY << MORE_MANTISSA));
  }

  /** Which magnitudes are below the smallest normal number. */
  static VectorMask<Integer> small(IntVector magnitude) {
    return magnitude.compare(VectorOperators.LT, SMALLEST_NORMAL << MORE_MANTISSA);
  }

  /** The float of a {@link #small} magnitude. */
  static IntVector behindOne(IntVector magnitude) {
    return magnitude
        .add(LEADING_ONE)
        .reinterpretAsFloats()
        .sub(Float.intBitsToFloat(LEADING_ONE))
        .reinterpretAsInts();
  }

  /** A float's bits with the sign of an FP16's. A signalling NaN stays one. */
  static FloatVector signed(IntVector magnitude, IntVector bits) {
    return magnitude.or(bits.and(0x80000000)).reinterpretAsFloats();
  }

  /** Where elements are above 0: bits from 1 to those of infinity, as numbers without a sign. */
  static VectorMask<Float> above(IntVector bits) {
    return bits.sub(1).compare(VectorOperators.ULT, INFINITY).cast(FLOATS);
  }
}
