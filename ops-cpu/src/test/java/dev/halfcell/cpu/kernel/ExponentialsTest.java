package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExponentialsTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  private static final double[] SPECIAL = {
    0d,
    -0d,
    INFINITY,
    -INFINITY,
    Double.NaN,
    Double.MIN_VALUE,
    -709,
    710,
    -708.9999,
    709.9999,
    1e300,
    -1e300
  };

  static Stream<Exponentials> ways() {
    return Stream.of(new ExponentialArrays(), new ExponentialVectors());
  }

  private static double[] exp(Exponentials exponentials, double... x) {
    exponentials.of(x, x.length);
    return x;
  }

  @Test
  void vectorsAreUsedWhereJavaHasThem() {
    assertInstanceOf(ExponentialVectors.class, Exponentials.make());
  }

  @ParameterizedTest
  @MethodSource("ways")
  void areRightToAHundredBillionthOverAllOfTheRangeOfDoubles(Exponentials exponentials) {
    double[] x = IntStream.rangeClosed(-708_000, 709_000).mapToDouble(i -> i / 1000d).toArray();
    double[] got = exp(exponentials, x.clone());
    for (int i = 0; i < x.length; i++) {
      double want = StrictMath.exp(x[i]);
      assertEquals(want, got[i], 1e-11 * want, "exp " + x[i]);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void endExactlyAndKeepWhatIsNoNumber(Exponentials exponentials) {
    assertArrayEquals(
        new double[] {0, 0, 1, 1, INFINITY, INFINITY, Double.NaN},
        exp(exponentials, -INFINITY, -709.5, 0d, -0d, 710, INFINITY, Double.NaN));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void roundToTheNearestFloatOrTheOneBeside(Exponentials exponentials) {
    int worst = 0;
    for (int step = -104_000; step <= 88_800; step++) {
      float[] x = {step / 1000f};
      float want = (float) StrictMath.exp(x[0]);
      exponentials.shifted(x, 0, 0, 1);
      worst = Math.max(worst, Math.abs(Float.floatToIntBits(x[0]) - Float.floatToIntBits(want)));
    }
    assertTrue(worst <= 1, "wrong by " + worst + " units in the last place");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shiftBeforeAndTouchNoMoreThanIsAsked(Exponentials exponentials) {
    float[] x = new float[2 * Exponentials.BLOCK + 7];
    Arrays.fill(x, 5);
    exponentials.shifted(x, 1, 5, x.length - 2);
    for (int i = 1; i < x.length - 1; i++) {
      assertEquals(1, x[i]);
    }
    assertEquals(5, x[0]);
    assertEquals(5, x[x.length - 1]);
  }

  @Test
  void bothWaysGiveTheSameBits() {
    Random random = new Random(3);
    for (int count = 1; count < 2 * Exponentials.BLOCK; count += 37) {
      double[] x = random.doubles(count, -720, 720).toArray();
      float[] shifted = new float[count];
      for (int i = 0; i < count; i++) {
        x[i] = i % 5 == 1 ? SPECIAL[random.nextInt(SPECIAL.length)] : x[i];
        shifted[i] = (float) (x[i] / 7);
      }
      double[][] powers = {x.clone(), x.clone()};
      float[][] floats = {shifted.clone(), shifted.clone()};
      List<Exponentials> ways = ways().toList();
      for (int way = 0; way < 2; way++) {
        ways.get(way).of(powers[way], count);
        ways.get(way).shifted(floats[way], 0, 1.25f, count);
      }
      assertArrayEquals(powers[0], powers[1]);
      assertArrayEquals(floats[0], floats[1]);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void numbersBehindTheLastStay(Exponentials exponentials) {
    for (int count = 1; count < 40; count++) {
      double[] x = new double[count + 1];
      exponentials.of(x, count);
      assertEquals(0, x[count]);
      assertEquals(1, x[count - 1]);
    }
  }
}
