package dev.halfcell.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FiguresTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.0 KiB",
    "1536, 1.5 KiB",
    "1048576, 1.0 MiB",
    "25769803776, 24.0 GiB"
  })
  void bytesAreInTheUnitThatFits(long bytes, String text) {
    assertEquals(text, Figures.bytes(bytes));
  }

  @ParameterizedTest
  @CsvSource({"65536, 65536", "0.5, 0.5", "1, 1", "0.01, 0.01"})
  void plainNumbersHaveNoNeedlessPoint(double value, String text) {
    assertEquals(text, Figures.plain(value));
  }

  @ParameterizedTest
  @CsvSource({
    "0.04, 0.0 s",
    "59.9, 59.9 s",
    "60, 1 min 0 s",
    "125.4, 2 min 5 s",
    "3599.6, 1 h 0 min",
    "360061, 100 h 1 min"
  })
  void timesAreInTheirTwoLargestUnits(double seconds, String text) {
    assertEquals(text, Figures.duration(seconds));
  }

  @Test
  void countsAndSharesAreRounded() {
    assertEquals("12,346", Figures.count(12_345.6));
    assertEquals("84.35 %", Figures.percent(0.84349));
    assertEquals("2.30", Figures.fixed(2.2999, 2));
  }
}
