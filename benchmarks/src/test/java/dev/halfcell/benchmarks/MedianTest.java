package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

final class MedianTest {
  @Test
  void isTheMiddleOfTheSortedValues() {
    assertEquals(3, Median.of(List.of(100.0, 1.0, 3.0)));
  }

  @Test
  void isTheMeanOfTheMiddleTwoOfAnEvenNumber() {
    assertEquals(2.5, Median.of(List.of(100.0, 1.0, 3.0, 2.0)));
  }

  @Test
  void ofNothingIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Median.of(List.of()));
  }
}
