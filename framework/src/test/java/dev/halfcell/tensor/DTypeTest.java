package dev.halfcell.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DTypeTest {
  @Test
  void doubleToHalfRoundsOnce() {
    double justAboveTie = 1 + 0x1p-11 + 0x1p-40;
    assertEquals(1 + 0x1p-10, DType.FP16.round(justAboveTie));
    assertEquals(1, DType.FP16.round(1 + 0x1p-11), "a tie goes to even");
    assertEquals(1 + 0x1p-7, DType.BF16.round(1 + 0x1p-8 + 0x1p-40));
    assertEquals(1, DType.BF16.round(1 + 0x1p-8), "a tie goes to even");
    assertEquals(-1 - 0x1p-7, DType.BF16.round(-1 - 0x1p-8 - 0x1p-40));
  }

  @Test
  void edgesOfTheHalves() {
    assertEquals(65504, DType.FP16.round(65519.99));
    assertEquals(Double.POSITIVE_INFINITY, DType.FP16.round(65520));
    assertEquals(0x1p-24, DType.FP16.round(0x1.8p-25), "the smallest subnormal");
    assertEquals(0, DType.FP16.round(0x1p-25), "half of it is a tie with zero");
    assertEquals(0x1.fep127, DType.BF16.round(0x1.fep127));
    assertEquals(Double.POSITIVE_INFINITY, DType.BF16.round(0x1.ffp127));
    assertEquals(0x1p-133, DType.BF16.round(0x1p-133), "a subnormal stays");
    assertTrue(Double.isNaN(DType.BF16.round(Double.NaN)));
    assertTrue(Double.isNaN(DType.FP16.round(Double.NaN)));
  }

  /** Every BF16 number is its own rounding, and what lies between two goes to the nearer one. */
  @Test
  void everyBfloat16ComesBack() {
    for (int bits = 0; bits < 0x7F80; bits++) {
      float exact = Half.toFloat((short) bits);
      float next = Half.toFloat((short) (bits + 1));
      assertEquals((short) bits, Half.fromFloat(exact));
      double below = exact + ((double) next - exact) * 0.49;
      if (Float.isFinite(next)) {
        assertEquals(exact, DType.BF16.round(below), "bits " + bits);
      }
    }
  }

  @Test
  void aNanWithItsPayloadInTheLowerBitsStaysOne() {
    assertTrue(Float.isNaN(Half.toFloat(Half.fromFloat(Float.intBitsToFloat(0x7F800001)))));
  }

  @Test
  void integersAreTruncated() {
    assertEquals(-2, DType.INT64.round(-2.7));
    assertEquals(255, DType.UINT8.round(255));
    assertEquals(1, DType.BOOL.round(0.5));
  }
}
