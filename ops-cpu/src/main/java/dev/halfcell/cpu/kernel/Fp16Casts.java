package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.FloatVectors.FLOATS;
import static dev.halfcell.cpu.kernel.Fp16Vectors.tooLarge;
import static dev.halfcell.cpu.kernel.Fp16Vectors.tooSmall;
import static dev.halfcell.cpu.kernel.Transfers.MEMORY;

import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Rounds floats to those that FP16 has, in vectors, from memory to memory: nearest, to even between
 * two. Java 25 has no vectors of FP16, and none are needed where the result is floats. Only where
 * {@link VectorModule#usable} holds.
 *
 * <p>FP16 has 13 bits of mantissa less than a float. Half of what they can count, less one for a
 * number that is even already, is added to the bits, then they are cut off. Below the smallest
 * normal number of FP16 all that it has are 2 to the −24 apart, as floats are between 0.5 and 1:
 * 0.5 is added and subtracted, which rounds.
 */
final class Fp16Casts {
  private static final int LENGTH = FLOATS.length();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private static final int SIGN = 0x80000000;
  private static final int LESS_MANTISSA = 23 - 10;
  private static final int CUT_OFF = (1 << LESS_MANTISSA) - 1;
  private static final int INFINITY = 0x7f800000;
  private static final int QUIET = 0x00400000;

  private Fp16Casts() {}

  /** Rounds {@code count} floats; a NaN stays one. */
  static void round(long from, long to, int count) {
    int bound = FLOATS.loopBound(count);
    for (int i = 0; i < bound; i += LENGTH) {
      IntVector bits = FloatVectors.load(from + 4L * i).reinterpretAsInts();
      IntVector size = bits.and(~SIGN);
      IntVector odd = size.lanewise(VectorOperators.LSHR, LESS_MANTISSA).and(1);
      IntVector normal = size.add(odd).add(CUT_OFF >> 1).and(~CUT_OFF);
      FloatVector tiny = size.reinterpretAsFloats().add(0.5f).sub(0.5f);
      IntVector special = size.max(INFINITY).and(~CUT_OFF);
      IntVector quiet =
          special.lanewise(VectorOperators.OR, QUIET, size.compare(VectorOperators.GT, INFINITY));
      FloatVectors.store(
          normal
              .blend(tiny.reinterpretAsInts(), tooSmall(size))
              .blend(quiet, tooLarge(size))
              .or(bits.and(SIGN))
              .reinterpretAsFloats(),
          to + 4L * i);
    }
    for (int i = bound; i < count; i++) {
      short half = Float.floatToFloat16(MEMORY.get(FLOAT, from + 4L * i));
      MEMORY.set(FLOAT, to + 4L * i, Float.float16ToFloat(half));
    }
  }
}
