package dev.halfcell.op.elementwise;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  /** Which comparisons hold of a number and a smaller one, an equal one, a larger one and NaN. */
  @Test
  void eachHoldsWhereItSays() {
    assertEquals(List.of(false, true, false, false), of(Comparison.EQUAL));
    assertEquals(List.of(true, false, true, true), of(Comparison.NOT_EQUAL));
    assertEquals(List.of(false, false, true, false), of(Comparison.LESS));
    assertEquals(List.of(false, true, true, false), of(Comparison.LESS_OR_EQUAL));
    assertEquals(List.of(true, false, false, false), of(Comparison.GREATER));
    assertEquals(List.of(true, true, false, false), of(Comparison.GREATER_OR_EQUAL));
  }

  private static List<Boolean> of(Comparison comparison) {
    return Stream.of(1.0, 2.0, 3.0, Double.NaN).map(b -> comparison.holds(2, b)).toList();
  }
}
