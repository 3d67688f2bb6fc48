package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.IntVector;
import org.junit.jupiter.api.Test;

/** FP16 in vectors are the floats that Java makes of them: all 65,536, subnormal ones too. */
final class Fp16VectorsTest {
  private static final int ALL = 1 << 16;
  private static final int QUIET = 0x00400000;

  @Test
  void eachIsTheFloatThatJavaMakesOfIt() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment every = every(arena);
      int length = ChannelVectors.length();
      for (int first = 0; first < ALL; first += length) {
        long address = every.address() + 2L * first;
        float[] loaded = Loop.floats(address);
        boolean[] above = Fp16Vectors.above(Fp16Vectors.bits(address)).toArray();
        for (int i = 0; i < length; i++) {
          float expected = Float.float16ToFloat((short) (first + i));
          String bits = Integer.toHexString(first + i);
          assertEquals(quiet(expected), quiet(loaded[i]), bits);
          assertEquals(expected > 0, above[i], bits);
        }
      }
    }
  }

  /** What loops make of the helpers; a class of its own, for tests are sought without vectors. */
  private static final class Loop {
    static float[] floats(long address) {
      IntVector bits = Fp16Vectors.bits(address);
      IntVector size = Fp16Vectors.magnitude(bits);
      IntVector tiny = Fp16Vectors.behindOne(size);
      IntVector magnitude = Fp16Vectors.large(size).blend(tiny, Fp16Vectors.small(size));
      return Fp16Vectors.signed(magnitude, bits).toArray();
    }
  }

  private static MemorySegment every(Arena arena) {
    MemorySegment every = arena.allocate(2L * ALL, 64);
    for (int i = 0; i < ALL; i++) {
      every.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) i);
    }
    return every;
  }

  /** The bits; the first operation with a signalling NaN makes a quiet one of it. */
  private static int quiet(float value) {
    int bits = Float.floatToRawIntBits(value);
    return Float.isNaN(value) ? bits | QUIET : bits;
  }
}
