package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bit by bit against the loops over words, which {@link FusedResidualTest} holds to ReLU's own. */
final class MaskVectorsTest {
  private static final float[] SPECIAL = {
    0,
    -0f,
    1,
    -1,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.NaN,
    Float.intBitsToFloat(0xffc00001),
    Float.MAX_VALUE
  };

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 16, 33, 121})
  void theBitsAreThoseOfTheLoops(int count) {
    try (Arena arena = Arena.ofConfined()) {
      Operand from = operand(arena, count, 1);
      Operand mask = operand(arena, count, SPECIAL.length);
      float[] vectors = new float[count + 1];
      vectors[count] = 5;
      MaskVectors.load(from.address(0, count), mask.address(0, count), vectors, count);
      int[] words = new PositiveMask(count).of(from, mask, 0, count).words();
      float[] loops = new float[count + 1];
      loops[count] = 5;
      Transfers.bits(words, loops, count);
      assertArrayEquals(bits(loops), bits(vectors));
    }
  }

  /** Special numbers in turn, each of them so many times. */
  private static Operand operand(Arena arena, int count, int times) {
    Operand operand = Operand.rowMajor(TensorSpec.of(DType.FP32, count));
    MemorySegment memory = arena.allocate(ValueLayout.JAVA_FLOAT, count);
    for (int i = 0; i < count; i++) {
      memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, SPECIAL[i / times % SPECIAL.length]);
    }
    operand.region().place(memory);
    return operand;
  }

  private static int[] bits(float[] values) {
    int[] bits = new int[values.length];
    Transfers.bits(values, bits, values.length);
    return bits;
  }

  @Test
  void infinityIsDroppedWhereTheMaskIsZero() {
    try (Arena arena = Arena.ofConfined()) {
      Operand infinite = operand(arena, SPECIAL.length, 1);
      Operand zero = operand(arena, SPECIAL.length, SPECIAL.length);
      float[] left = new float[SPECIAL.length];
      MaskVectors.load(
          infinite.address(0, left.length), zero.address(0, left.length), left, left.length);
      assertEquals(0, left[6]);
    }
  }
}
