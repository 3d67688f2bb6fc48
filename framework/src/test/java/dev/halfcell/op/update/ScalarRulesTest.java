package dev.halfcell.op.update;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The rules of an update that are one number for all parameters. */
class ScalarRulesTest {
  @Test
  void gradientsAreShortenedToTheLargestNormAndNeverStretched() {
    ClipByNorm rule = new ClipByNorm(2);
    assertEquals(0.5, rule.factor(4), 1e-6);
    assertEquals(2 / (4 + 1e-6), rule.factor(4), 1e-15);
    assertEquals(1, rule.factor(1));
    assertEquals(1, rule.factor(0));
  }

  @Test
  void aWindowIsDividedByWhatWasKept() {
    assertEquals(3 * 8, new WindowScale(true).of(8, 3, 3));
    assertEquals(2 * 8, new WindowScale(false).of(8, 3, 2));
  }

  @Test
  void aWindowIsDroppedWholeOrWhenNothingWasKept() {
    assertEquals(Double.NaN, new WindowScale(true).of(8, 3, 2));
    assertEquals(Double.NaN, new WindowScale(true).of(8, 3, 0));
    assertEquals(Double.NaN, new WindowScale(false).of(8, 3, 0));
  }
}
