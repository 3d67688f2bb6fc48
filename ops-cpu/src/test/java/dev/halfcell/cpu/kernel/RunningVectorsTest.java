package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bit by bit against the loops over arrays, and these against sums in order. */
final class RunningVectorsTest {
  private static final int SIZE = 1100;

  private final float[] a = new float[SIZE];
  private final float[] b = new float[SIZE];
  private final double[] wide = new double[SIZE];

  RunningVectorsTest() {
    Random random = new Random(3);
    for (int i = 0; i < SIZE; i++) {
      a[i] = (float) (random.nextGaussian() * Math.exp(random.nextGaussian()));
      b[i] = (float) random.nextGaussian();
      wide[i] = random.nextGaussian();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 16, 32, 48, 256, 1024})
  void theBitsAreThoseOfTheLoops(int count) {
    assumeTrue(RunningVectors.suit(), "vectors of two doubles are left alone");
    for (int from = 0; from < 20; from++) {
      int bound = from + count;
      assertEquals(RunningSums.lanes(a, from, bound), RunningVectors.of(a, from, bound));
      assertEquals(RunningSums.lanes(wide, from, bound), RunningVectors.of(wide, from, bound));
      assertEquals(
          RunningSums.lanes(a, b, from, bound), RunningVectors.ofProducts(a, b, from, bound));
      if (count > 0) {
        assertEquals(Largest.ofWhole(a, from, bound), RunningVectors.largest(a, from, bound));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 40, 255, 1000})
  void eachElementIsAddedOnce(int count) {
    for (int from = 0; from < 20; from++) {
      double sum = IntStream.range(from, from + count).mapToDouble(i -> a[i]).sum();
      double sumOfWide = IntStream.range(from, from + count).mapToDouble(i -> wide[i]).sum();
      double products =
          IntStream.range(from, from + count).mapToDouble(i -> (double) a[i] * b[i]).sum();
      assertEquals(sum, RunningSums.of(a, from, count), 1e-10);
      assertEquals(sumOfWide, RunningSums.of(wide, from, count), 1e-10);
      assertEquals(products, RunningSums.ofProducts(a, b, from, count), 1e-10);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16, 17, 40, 255, 1000})
  void theLargestIsFoundWhereverItStands(int count) {
    for (int from = 0; from < 20; from++) {
      float[] x = Arrays.copyOf(a, SIZE);
      Arrays.fill(x, 0, from, Float.MAX_VALUE);
      Arrays.fill(x, from + count, SIZE, Float.NaN);
      x[from + count * from / 20] = 1000;
      assertEquals(1000, Largest.of(x, from, count));
      x[from + count * from / 20] = Float.NaN;
      assertEquals(Float.NaN, Largest.of(x, from, count));
    }
    assertEquals(Float.NEGATIVE_INFINITY, Largest.of(a, 3, 0));
  }
}
