package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ActivationsTest {
  private static final float INFINITY = Float.POSITIVE_INFINITY;

  @Test
  void areAsExactAsFloatsAround1() {
    float[] x = new float[400_001];
    for (int i = 0; i < x.length; i++) {
      x[i] = (i - 200_000) / 10_000f; // -20 to 20
    }
    float[] tanh = x.clone();
    float[] sigmoid = x.clone();
    Activations.tanh(tanh, 0, x.length);
    Activations.sigmoid(sigmoid, 0, x.length);
    for (int i = 0; i < x.length; i++) {
      assertEquals(Math.tanh(x[i]), tanh[i], 4e-7, "tanh of " + x[i]);
      assertTrue(Math.abs(tanh[i]) <= 1 && sigmoid[i] >= 0 && sigmoid[i] <= 1, "range");
      assertEquals(1 / (1 + Math.exp(-x[i])), sigmoid[i], 4e-7, "sigmoid of " + x[i]);
    }
  }

  @Test
  void endWhereTheyEndAndKeepWhatIsNoNumber() {
    float[] x = {INFINITY, -INFINITY, Float.NaN, 5};
    Activations.tanh(x, 0, 3);
    assertArrayEquals(new float[] {1, -1, Float.NaN, 5}, x, 4e-7f);
    float[] y = {5, INFINITY, -INFINITY, Float.NaN};
    Activations.sigmoid(y, 1, 4);
    assertArrayEquals(new float[] {5, 1, 0, Float.NaN}, y, 4e-7f);
    assertEquals(0f, y[2], "or infinity times it would stay infinite");
  }
}
