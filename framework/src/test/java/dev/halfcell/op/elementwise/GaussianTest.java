package dev.halfcell.op.elementwise;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against erfc(−x / √2) / 2 of the GNU C library. */
class GaussianTest {
  @ParameterizedTest
  @CsvSource({
    "-8, 6.220960574271819e-16",
    "-5, 2.866515718791946e-07",
    "-4, 3.1671241833119965e-05",
    "-1, 0.15865525393145707",
    "0, 0.5",
    "0.5, 0.6914624612740131",
    "3, 0.9986501019683699",
    "4, 0.9999683287581669",
    "5, 0.9999997133484281"
  })
  void theShareBelow(double x, double below) {
    assertEquals(below, Gaussian.below(x), 1e-14 * below);
  }

  @Test
  void theDensity() {
    assertEquals(0.3989422804014327, Gaussian.density(0), 1e-16);
    assertEquals(0.05399096651318806, Gaussian.density(-2), 1e-16);
  }
}
