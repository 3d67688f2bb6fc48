package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.cpu.kernel.ChannelVectors.Numbers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * FP16 comes in and goes out as Java itself has it: every FP16, and every float that is near one.
 */
final class Fp16ChannelsTest {
  private static final int ALL = 1 << 16;
  private static final int COUNT = 512;
  private static final int STEP = 1 << 12; // half of the distance of two FP16s, where normal
  private static final int QUIET_FLOAT = 0x00400000;
  private static final int QUIET_HALF = 0x0200;
  private static final short MINUS_0 = (short) 0x8000;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment y = arena.allocate(2L * COUNT, 64);
  private final Fp16Channels loops = new Fp16Channels(new float[COUNT]);
  private final float[] added = filled(-0f);
  private final Numbers same = new Numbers(filled(0), filled(1), added, filled(0));

  @AfterEach
  void close() {
    arena.close();
  }

  private static float[] filled(float value) {
    float[] values = new float[COUNT];
    Arrays.fill(values, value);
    return values;
  }

  private MemorySegment halves(int count, int first, int step) {
    MemorySegment halves = arena.allocate(2L * count, 64);
    for (int i = 0; i < count; i++) {
      halves.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) (first + i * step));
    }
    return halves;
  }

  private short result(int i) {
    return y.getAtIndex(ValueLayout.JAVA_SHORT, i);
  }

  @Test
  void everyFp16ComesBackWhetherItIsScaledOrAdded() {
    MemorySegment every = halves(ALL, 0, 1);
    MemorySegment nothing = halves(COUNT, MINUS_0, 0);
    for (int first = 0; first < ALL; first += COUNT) {
      long address = every.address() + 2L * first;
      loops.map(address, y.address(), same, Float.NEGATIVE_INFINITY, COUNT);
      assertQuiet(first);
      loops.mapAdded(nothing.address(), address, y.address(), same, Float.NEGATIVE_INFINITY, COUNT);
      assertQuiet(first);
    }
  }

  /** That results are the FP16s from {@code first} on; a NaN has become a quiet one. */
  private void assertQuiet(int first) {
    for (int i = 0; i < COUNT; i++) {
      short half = (short) (first + i);
      int expected = Float.isNaN(Float.float16ToFloat(half)) ? half | QUIET_HALF : half;
      assertEquals((short) expected, result(i), Integer.toHexString(first + i));
    }
  }

  @Test
  void resultsAreRoundedAsJavaRounds() {
    MemorySegment nothing = halves(COUNT, MINUS_0, 0);
    long bits = 0;
    while (bits < 1L << 32) {
      for (int i = 0; i < COUNT; i++, bits += next(bits)) {
        float value = Float.intBitsToFloat((int) bits);
        added[i] = Float.isNaN(value) ? Float.intBitsToFloat((int) bits | QUIET_FLOAT) : value;
      }
      loops.map(nothing.address(), y.address(), same, Float.NEGATIVE_INFINITY, COUNT);
      for (int i = 0; i < COUNT; i++) {
        float value = added[i];
        assertEquals(Float.floatToFloat16(value), result(i), () -> Float.toHexString(value));
      }
    }
  }

  /** To the next of the floats just below, at and just above each multiple of a step. */
  private static long next(long bits) {
    return (bits & STEP - 1) < 2 || (bits & STEP - 1) == STEP - 1 ? 1 : STEP - 3;
  }
}
