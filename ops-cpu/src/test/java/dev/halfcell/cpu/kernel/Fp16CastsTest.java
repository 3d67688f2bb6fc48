package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/**
 * Floats rounded to FP16 in vectors are those that FP16's own rounding gives: every FP16, the
 * floats beside it and those in the middle between two, of both signs.
 */
final class Fp16CastsTest {
  private static final int STEP = 1 << 12; // half of the distance of two FP16s, where normal

  @Test
  void roundsAsFp16ItselfDoes() {
    int count = ChannelVectors.length() * 4 + 3; // some behind the last whole vector
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = arena.allocate(4L * count, 64);
      MemorySegment to = arena.allocate(4L * count, 64);
      long bits = 0;
      while (bits < 1L << 32) {
        for (int i = 0; i < count; i++, bits += next(bits)) {
          from.setAtIndex(ValueLayout.JAVA_INT, i, (int) bits);
        }
        Fp16Casts.round(from.address(), to.address(), count);
        for (int i = 0; i < count; i++) {
          float x = from.getAtIndex(ValueLayout.JAVA_FLOAT, i);
          float y = to.getAtIndex(ValueLayout.JAVA_FLOAT, i);
          assertEquals((float) DType.FP16.round(x), y, () -> Float.toHexString(x));
        }
      }
    }
  }

  /** To the next of the floats just below, at and just above each multiple of a step. */
  private static long next(long bits) {
    return (bits & STEP - 1) < 2 || (bits & STEP - 1) == STEP - 1 ? 1 : STEP - 3;
  }

  @Test
  void whatIsNoNumberStaysNone() {
    int count = ChannelVectors.length() + 3;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment at = arena.allocate(4L * count, 64);
      for (int i = 0; i < count; i++) {
        at.setAtIndex(ValueLayout.JAVA_INT, i, 0xff800001 + i); // payloads in the last bits alone
      }
      Fp16Casts.round(at.address(), at.address(), count);
      for (int i = 0; i < count; i++) {
        assertTrue(Float.isNaN(at.getAtIndex(ValueLayout.JAVA_FLOAT, i)));
      }
    }
  }
}
