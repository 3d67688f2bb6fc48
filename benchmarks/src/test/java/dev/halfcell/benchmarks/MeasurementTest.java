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

  @Test
  void twoStepsAreBothTimed() {
    assertEquals(3, steps(4, 2).medianMs());
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
