package dev.halfcell.op.reduction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ExtremeTest {
  private static final Extreme MAX = new Extreme(List.of(0), true);
  private static final Extreme MIN = new Extreme(List.of(0), false);

  @Test
  void theFirstOfTheLargestStays() {
    assertTrue(MAX.replaces(2, 1) && !MAX.replaces(1, 1) && !MAX.replaces(1, 2));
    assertTrue(MIN.replaces(1, 2) && !MIN.replaces(1, 1) && !MIN.replaces(2, 1));
  }

  @Test
  void theFirstNanStays() {
    for (Extreme each : List.of(MAX, MIN)) {
      assertTrue(each.replaces(Double.NaN, 1));
      assertFalse(each.replaces(Double.NaN, Double.NaN));
      assertFalse(each.replaces(1, Double.NaN));
    }
  }

  @Test
  void messagesSayWhichOneItIs() {
    assertEquals("Max", MAX.label());
    assertEquals("Min", MIN.label());
  }
}
