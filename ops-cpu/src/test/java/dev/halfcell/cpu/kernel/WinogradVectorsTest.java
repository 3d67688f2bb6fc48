package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The loops of Winograd's form in vectors give the bits of those over arrays. */
final class WinogradVectorsTest {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;
  private static final float[] SPECIAL = {0f, -0f, 1f, -1f, Float.NaN, Float.POSITIVE_INFINITY};

  private final Random random = new Random(3);

  private MemorySegment numbers(Arena arena, int count) {
    MemorySegment memory = arena.allocate(FLOAT, count);
    for (int i = 0; i < count; i++) {
      float special = SPECIAL[random.nextInt(SPECIAL.length)];
      memory.setAtIndex(FLOAT, i, random.nextInt(9) == 0 ? special : (float) random.nextGaussian());
    }
    return memory;
  }

  private static WinogradLoops arrays(int channels, int tiles, long step) {
    return WinogradArrays.of(
        new Scratch(new ScratchPool(), 0, new HashMap<>()), channels, tiles, step);
  }

  /** With one bit pattern for all NaN. */
  private static int[] bits(MemorySegment memory) {
    int[] bits = new int[(int) (memory.byteSize() / Float.BYTES)];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Float.floatToIntBits(memory.getAtIndex(FLOAT, i));
    }
    return bits;
  }

  @ParameterizedTest
  @CsvSource({"32, 1, true", "32, 5, false", "48, 3, true", "64, 16, false"})
  void imagesComeIntoTheForm(int channels, int tiles, boolean sums) {
    assertTrue(WinogradChannels.suit(channels));
    try (Arena arena = Arena.ofConfined()) {
      int line = (2 * tiles + 2) * channels;
      long a = numbers(arena, line).address();
      long b = numbers(arena, line).address();
      int step = tiles * channels + 1;
      MemorySegment expected = numbers(arena, 4 * step);
      MemorySegment got = arena.allocate(FLOAT, 4L * step).copyFrom(expected);
      arrays(channels, tiles, 4L * step).image(a, b, sums, expected.address(), tiles);
      new WinogradVectors(channels, 4L * step).image(a, b, sums, got.address(), tiles);
      assertArrayEquals(bits(expected), bits(got));
    }
  }

  @ParameterizedTest
  @CsvSource({"32, 1, true", "32, 5, false", "48, 3, true", "64, 16, false"})
  void gradientsComeIntoTheForm(int channels, int tiles, boolean sums) {
    try (Arena arena = Arena.ofConfined()) {
      long a = numbers(arena, 2 * tiles * channels).address();
      long b = numbers(arena, 2 * tiles * channels).address();
      int step = tiles * channels + 1;
      MemorySegment expected = numbers(arena, 4 * step);
      MemorySegment got = arena.allocate(FLOAT, 4L * step).copyFrom(expected);
      arrays(channels, tiles, 4L * step).gradient(a, b, sums, expected.address(), tiles);
      new WinogradVectors(channels, 4L * step).gradient(a, b, sums, got.address(), tiles);
      assertArrayEquals(bits(expected), bits(got));
    }
  }

  @ParameterizedTest
  @CsvSource({"32, 1, true", "32, 5, false", "48, 3, true", "64, 16, false"})
  void resultsComeOutOfTheForm(int channels, int tiles, boolean sums) {
    try (Arena arena = Arena.ofConfined()) {
      int step = tiles * channels + 1;
      long from = numbers(arena, 16 * step).address();
      long bias = numbers(arena, channels).address();
      MemorySegment expected = numbers(arena, 2 * tiles * channels);
      MemorySegment got = arena.allocate(FLOAT, 2L * tiles * channels);
      arrays(channels, tiles, 4L * step).result(from, sums, bias, expected.address(), tiles);
      new WinogradVectors(channels, 4L * step).result(from, sums, bias, got.address(), tiles);
      assertArrayEquals(bits(expected), bits(got));
    }
  }
}
