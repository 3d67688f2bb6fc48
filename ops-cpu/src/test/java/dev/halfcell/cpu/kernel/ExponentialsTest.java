package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExponentialsTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  private final Exponentials exponentials = new Exponentials();

  private double[] exp(double... x) {
    exponentials.of(x, x.length);
    return x;
  }

  @Test
  void areRightToAHundredBillionthOverAllOfTheRangeOfDoubles() {
    double[] x = IntStream.rangeClosed(-708_000, 709_000).mapToDouble(i -> i / 1000d).toArray();
    double[] got = exp(x.clone());
    for (int i = 0; i < x.length; i++) {
      double want = StrictMath.exp(x[i]);
      assertEquals(want, got[i], 1e-11 * want, "exp " + x[i]);
    }
  }

  @Test
  void lessOneKeepItsDigitsAround0() {
    double[] x =
        DoubleStream.iterate(1e-300, size -> size < 700, size -> size * 1.07)
            .flatMap(size -> DoubleStream.of(size, -size))
            .toArray();
    double[] got = x.clone();
    exponentials.lessOne(got, got.length);
    for (int i = 0; i < x.length; i++) {
      double want = StrictMath.expm1(x[i]);
      assertEquals(want, got[i], 4e-11 * Math.abs(want), "expm1 " + x[i]);
    }
  }

  @Test
  void endExactlyAndKeepWhatIsNoNumber() {
    assertArrayEquals(
        new double[] {0, 0, 1, 1, INFINITY, INFINITY, Double.NaN},
        exp(-INFINITY, -709.5, 0d, -0d, 710, INFINITY, Double.NaN));
  }

  @Test
  void roundToTheNearestFloatOrTheOneBeside() {
    int worst = 0;
    for (int step = -104_000; step <= 88_800; step++) {
      float[] x = {step / 1000f};
      float want = (float) StrictMath.exp(x[0]);
      exponentials.shifted(x, 0, 1);
      worst = Math.max(worst, Math.abs(Float.floatToIntBits(x[0]) - Float.floatToIntBits(want)));
    }
    assertTrue(worst <= 1, "wrong by " + worst + " units in the last place");
  }

  @Test
  void shiftBeforeAndTouchNoMoreThanIsAsked() {
    float[] x = new float[2 * Exponentials.BLOCK + 7];
    Arrays.fill(x, 5);
    exponentials.shifted(x, 5, x.length - 1);
    for (int i = 0; i < x.length - 1; i++) {
      assertEquals(1, x[i]);
    }
    assertEquals(5, x[x.length - 1]);
  }
}
