package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ExponentialsTest {
  private static float exp(float x) {
    float[] values = {x};
    Exponentials.shifted(values, 0, 1);
    return values[0];
  }

  @Test
  void isWithinTwoUnitsInTheLastPlaceFromSubnormalsToOverflow() {
    for (int step = -104_000; step <= 88_700; step++) {
      float x = step / 1000f;
      double want = Math.exp(x);
      assertTrue(Math.abs(exp(x) - want) <= 2 * Math.ulp((float) want), x + ": " + exp(x));
    }
  }

  @Test
  void isExactAtTheEnds() {
    assertEquals(0, exp(Float.NEGATIVE_INFINITY));
    assertEquals(0, exp(-200));
    assertEquals(1, exp(0));
    assertEquals(Float.POSITIVE_INFINITY, exp(100));
    assertEquals(Float.POSITIVE_INFINITY, exp(Float.POSITIVE_INFINITY));
    assertTrue(Float.isNaN(exp(Float.NaN)));
  }

  @Test
  void shiftsBeforeAndTouchesNoMoreThanItIsAsked() {
    float[] values = {5, 5, 5};
    Exponentials.shifted(values, 5, 2);
    assertEquals(1, values[0]);
    assertEquals(1, values[1]);
    assertEquals(5, values[2]);
  }
}
