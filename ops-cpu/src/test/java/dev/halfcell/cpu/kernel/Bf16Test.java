package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both ways between BF16 and floats, bit by bit, against {@link Elements}. */
final class Bf16Test {
  private static final int ALL = 1 << 16;
  private static final ValueLayout.OfShort HALF = ValueLayout.JAVA_SHORT;

  private final Arena arena = Arena.ofConfined();

  static Stream<Bf16> ways() {
    return Stream.of(new Bf16Arrays(ALL), new Bf16Vectors());
  }

  @AfterEach
  void close() {
    arena.close();
  }

  private MemorySegment halves(int... bits) {
    MemorySegment memory = arena.allocate(HALF, bits.length);
    for (int i = 0; i < bits.length; i++) {
      memory.setAtIndex(HALF, i, (short) bits[i]);
    }
    return memory;
  }

  private static int[] bits(float[] values) {
    return IntStream.range(0, values.length).map(i -> Float.floatToRawIntBits(values[i])).toArray();
  }

  @Test
  void vectorsAreUsedWhereJavaHasThem() {
    assertTrue(VectorModule.usable(), "tests are run with --add-modules " + VectorModule.NAME);
    assertInstanceOf(Bf16Vectors.class, Bf16.of(1));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void eachHalfBecomesTheFloatOfItsBits(Bf16 way) {
    MemorySegment all = halves(IntStream.range(0, ALL).toArray());
    float[] floats = new float[ALL];
    way.load(all.address(), floats, ALL);
    int[] expected = IntStream.range(0, ALL).map(i -> i << 16).toArray();
    assertArrayEquals(expected, bits(floats));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void floatsOnAndBesideEachHalfAreRoundedToTheNearestEven(Bf16 way) {
    for (int beside : new int[] {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff}) {
      float[] floats = new float[ALL];
      MemorySegment expected = arena.allocate(HALF, ALL);
      for (int i = 0; i < ALL; i++) {
        floats[i] = Float.intBitsToFloat(i << 16 | beside);
        Elements.set(expected, DType.BF16, i, floats[i]);
      }
      MemorySegment stored = arena.allocate(HALF, ALL);
      way.store(floats, stored.address(), ALL);
      for (int i = 0; i < ALL; i++) {
        if (Float.isNaN(floats[i])) {
          assertTrue(Double.isNaN(Elements.get(stored, DType.BF16, i)), "NaN of " + i);
        } else {
          assertEquals(expected.getAtIndex(HALF, i), stored.getAtIndex(HALF, i), "half " + i);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void floatsAreRoundedInPlaceToWhatIsStoredOfThem(Bf16 way) {
    for (int beside : new int[] {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff}) {
      float[] floats = new float[ALL];
      int[] given = IntStream.range(0, ALL).map(i -> i << 16 | beside).toArray();
      Transfers.bits(given, floats, ALL);
      MemorySegment stored = arena.allocate(HALF, ALL);
      way.store(floats, stored.address(), ALL);
      float[] expected = new float[ALL];
      way.load(stored.address(), expected, ALL);
      way.round(floats, ALL);
      assertArrayEquals(bits(expected), bits(floats));
    }
  }

  @Test
  void bothGiveTheSameNaN() {
    Random random = new Random(1);
    int[] nans = random.ints(999).map(i -> i | 0x7f800001).toArray();
    float[] floats = new float[nans.length];
    Transfers.bits(nans, floats, nans.length);
    MemorySegment arrays = arena.allocate(HALF, nans.length);
    MemorySegment vectors = arena.allocate(HALF, nans.length);
    new Bf16Arrays(nans.length).store(floats, arrays.address(), nans.length);
    new Bf16Vectors().store(floats, vectors.address(), nans.length);
    assertEquals(-1, arrays.mismatch(vectors));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void zerosStandWhereTheMaskIsNotAboveZero(Bf16 way) {
    int[] special = {0, 0x8000, 1, 0x8001, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 0xffc0, 0x7f81};
    int count = special.length * special.length;
    MemorySegment data =
        halves(IntStream.range(0, count).map(i -> special[i % special.length]).toArray());
    MemorySegment mask =
        halves(IntStream.range(0, count).map(i -> special[i / special.length]).toArray());
    float[] floats = new float[count];
    way.loadMasked(data.address(), mask.address(), floats, count);
    int[] expected =
        IntStream.range(0, count)
            .map(i -> Elements.get(mask, DType.BF16, i) > 0 ? special[i % special.length] << 16 : 0)
            .toArray();
    assertArrayEquals(expected, bits(floats));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void noElementBehindTheLastIsTouched(Bf16 way) {
    assertAll(IntStream.rangeClosed(1, 70).mapToObj(count -> () -> touchesNoMoreThan(count, way)));
  }

  private void touchesNoMoreThan(int count, Bf16 way) {
    MemorySegment memory = halves(IntStream.range(0, 71).map(i -> 0x3f80 + i).toArray());
    float[] floats = new float[72];
    way.load(memory.address(), floats, count);
    for (int i = 0; i < 71; i++) {
      assertEquals(i < count, floats[i] != 0, "place " + i + " of " + count);
    }
    way.store(new float[72], memory.address(), count);
    for (int i = 0; i < 71; i++) {
      assertEquals(i < count ? 0 : 0x3f80 + i, memory.getAtIndex(HALF, i), "half " + i);
    }
    float[] thirds = new float[71];
    Arrays.fill(thirds, 1 / 3f);
    way.round(thirds, count);
    for (int i = 0; i < 71; i++) {
      assertEquals(i < count, thirds[i] != 1 / 3f, "place " + i + " of " + count);
    }
  }
}
