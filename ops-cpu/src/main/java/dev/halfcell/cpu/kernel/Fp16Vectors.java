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
 * FP16 as vectors of floats, from where it lies and back, by sums of integers: Java 25 has no
 * vectors of FP16. Only where {@link VectorModule#usable} holds.
 *
 * <p>An FP16 has 5 bits of exponent around 15 and 10 of mantissa, a float 8 around 127 and 23. So
 * its magnitude moved up by 13 bits is that of the float but for the exponent, to which 127 - 15 is
 * added: once more for infinities and NaNs, whose exponent is the largest in both. Below the
 * smallest normal number there is no leading 1; it is put in front and subtracted as a float,
 * exactly. (A product with 2 to the 112 would do for both, but takes ten times as long and more
 * where it meets floats below their own smallest normal number.)
 *
 * <p>The way back rounds to the nearest, to even between two: of the 13 bits that go half of what
 * they can count is added before, less one for a number that is even already. Below the smallest
 * normal number of FP16 all that it has are 2 to the -24 apart, as floats are between 0.5 and 1: so
 * 0.5 is added, and what is behind it is the number. A quiet NaN, as each operation makes them,
 * stays one.
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
  private static final int NEARLY_HALF = (1 << MORE_MANTISSA - 1) - 1;
  private static final int INFINITE_FLOAT = 0xff << 23;

  /** The least float that becomes an infinity: 65,520, half a step above the largest FP16. */
  private static final int TOO_LARGE = 0x477ff000;

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

  /** The FP16 of a float without its sign that is neither {@link #tooSmall} nor too large. */
  static IntVector rounded(IntVector wide) {
    return wide.lanewise(VectorOperators.LSHR, MORE_MANTISSA)
        .and(1)
        .add(wide)
        .add(NEARLY_HALF - REBIASED)
        .lanewise(VectorOperators.LSHR, MORE_MANTISSA);
  }

  /** Which floats without a sign are below the smallest normal number of FP16. */
  static VectorMask<Integer> tooSmall(IntVector wide) {
    return wide.compare(VectorOperators.LT, LEADING_ONE);
  }

  /** The FP16 of a float that is {@link #tooSmall}. */
  static IntVector roundedSmall(IntVector wide) {
    return wide.reinterpretAsFloats()
        .add(0.5f)
        .reinterpretAsInts()
        .sub(Float.floatToRawIntBits(0.5f));
  }

  /** Which floats without a sign become infinities of FP16, or are NaNs. */
  static VectorMask<Integer> tooLarge(IntVector wide) {
    return wide.compare(VectorOperators.GE, TOO_LARGE);
  }

  /** The FP16 of a float that is {@link #tooLarge}. */
  static IntVector unbounded(IntVector wide) {
    return wide.max(INFINITE_FLOAT).lanewise(VectorOperators.LSHR, MORE_MANTISSA).and(0x7fff);
  }

  /** The sign of a float where an FP16 has it. */
  static IntVector sign(IntVector wide) {
    return wide.lanewise(VectorOperators.LSHR, 16).and(0x8000);
  }

  /** Puts the lower halves of elements at an address. */
  static void put(IntVector halves, long address) {
    halves
        .convertShape(VectorOperators.I2S, HALVES, 0)
        .reinterpretAsShorts()
        .intoMemorySegment(MEMORY, address, ORDER);
  }
}
