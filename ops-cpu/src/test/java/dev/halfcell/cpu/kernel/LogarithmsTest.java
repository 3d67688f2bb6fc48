package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class LogarithmsTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  private static double[] log(double... x) {
    new Logarithms().of(x, x.length);
    return x;
  }

  @Test
  void areRightToATrillionthFromTheLeastFloatToTheLargestAndAround1() {
    double[] x =
        DoubleStream.concat(
                DoubleStream.iterate(
                    Float.MIN_VALUE, each -> each <= Float.MAX_VALUE, each -> each * 1.00137),
                DoubleStream.iterate(1e-7, each -> each < 1, each -> each * 1.01)
                    .flatMap(each -> DoubleStream.of(1 - each, 1 + each)))
            .toArray();
    double[] got = log(x.clone());
    for (int i = 0; i < x.length; i++) {
      double want = StrictMath.log(x[i]);
      assertEquals(want, got[i], 1e-12 * Math.abs(want), "log " + x[i]);
    }
  }

  @Test
  void areExactWhereTheResultIsNoUsualNumber() {
    assertArrayEquals(
        new double[] {-INFINITY, -INFINITY, 0, INFINITY, Double.NaN, Double.NaN, Double.NaN},
        log(0d, -0d, 1, INFINITY, -INFINITY, -Float.MIN_VALUE, Double.NaN));
  }
}
