package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
        float[] loaded = Fp16Vectors.load(every.address() + 2L * first).toArray();
        boolean[] above = Fp16Vectors.above(every.address() + 2L * first).toArray();
        for (int i = 0; i < length; i++) {
          float expected = Float.float16ToFloat((short) (first + i));
          String bits = Integer.toHexString(first + i);
          assertEquals(quiet(expected), quiet(loaded[i]), bits);
          assertEquals(expected > 0, above[i], bits);
        }
      }
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
