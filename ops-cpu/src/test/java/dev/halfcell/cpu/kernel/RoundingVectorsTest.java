package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.tensor.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Floats rounded to a half in vectors are those that the half's own rounding gives: every half, the
 * floats beside it and those in the middle between two, of both signs.
 */
final class RoundingVectorsTest {
  private static final int STEP = 1 << 12; // half of the distance of two FP16s, where normal

  private static void round(DType half, long from, long to, int count) {
    if (half == DType.BF16) {
      Bf16Casts.round(from, to, count);
    } else {
      Fp16Casts.round(from, to, count);
    }
  }

  private static float rounded(DType half, float x) {
    return (float) half.round(x);
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"FP16", "BF16"})
  void roundsAsTheHalfItselfDoes(DType half) {
    int count = ChannelVectors.length() * 4 + 3; // some behind the last whole vector
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = arena.allocate(4L * count, 64);
      MemorySegment to = arena.allocate(4L * count, 64);
      long bits = 0;
      while (bits < 1L << 32) {
        for (int i = 0; i < count; i++, bits += next(bits)) {
          from.setAtIndex(ValueLayout.JAVA_INT, i, (int) bits);
        }
        round(half, from.address(), to.address(), count);
        for (int i = 0; i < count; i++) {
          float x = from.getAtIndex(ValueLayout.JAVA_FLOAT, i);
          float y = to.getAtIndex(ValueLayout.JAVA_FLOAT, i);
          assertEquals(rounded(half, x), y, () -> half + " of " + Float.toHexString(x));
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
    try (Arena arena = Arena.ofConfined()) {
      int count = ChannelVectors.length();
      MemorySegment at = arena.allocate(4L * count, 64);
      for (DType half : new DType[] {DType.FP16, DType.BF16}) {
        for (int i = 0; i < count; i++) {
          at.setAtIndex(ValueLayout.JAVA_INT, i, 0xff800001 + i); // payloads in the last bits alone
        }
        round(half, at.address(), at.address(), count);
        for (int i = 0; i < count; i++) {
          assertEquals(0xffc00000, at.getAtIndex(ValueLayout.JAVA_INT, i));
        }
      }
    }
  }
}
