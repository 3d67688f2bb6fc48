package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class MeasurementTest {
  @Test
  void theFirstThirdOfTheStepsWarmsUp() {
    assertEquals(List.of(3.0, 5.0, 4.0, 9.0), steps(90, 80, 3, 5, 4, 9).timedMs());
    assertEquals(4.5, steps(90, 80, 3, 5, 4, 9).medianMs());
  }

  /** It compiles, and touches its memory for the first time. */
  @Test
  void theFirstStepOfFewIsNotTimed() {
    assertEquals(2, steps(4, 2).medianMs());
    assertEquals(List.of(2.0, 3.0), steps(4, 2, 3).timedMs());
    assertEquals(4, steps(4).medianMs());
  }

  @Test
  void secondsAreThoseOfAllSteps() {
    assertEquals(6, steps(1000, 2000, 3000).seconds());
  }

  private static Measurement steps(double... milliseconds) {
    Bytes unknown = new Bytes(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
    List<Double> all = Arrays.stream(milliseconds).boxed().toList();
    return new Measurement(List.of(), all, unknown, Map.of());
  }
}
