package dev.halfcell.op.random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.halfcell.op.CellPath;
import org.junit.jupiter.api.Test;

/** Runs have to draw the same for ever: checkpoints are resumed by later releases. */
class RandomKeyTest {
  private static final CellPath PATH = new CellPath("/drop");

  /** SplitMix64 with seed 0 begins with this number, as its authors' program prints it. */
  @Test
  void theMixerIsThatOfSplitMix64() {
    assertEquals(
        0xE220A8397B1DCDAFL, new RandomKey(0, new CellPath(""), 0).stream(), "no path, ordinal 0");
  }

  @Test
  void theNumbersAreThoseOfAProgramInIntegersOfAnySize() {
    long stream = new RandomKey(7, PATH, 2).stream();
    assertEquals(0x2CFEA53960B42D57L, stream);
    assertEquals(0x796F40AD1AAED13CL, RandomKey.bits(stream, 0, 0));
    assertEquals(0x1.e5bd02b46abb4p-2, RandomKey.uniform(stream, 0, 0));
    assertEquals(0x1.5b6faff1853a0p-4, RandomKey.uniform(stream, 5, 9));
  }

  @Test
  void seedPathAndOrdinalAllCount() {
    long stream = new RandomKey(7, PATH, 2).stream();
    assertNotEquals(stream, new RandomKey(8, PATH, 2).stream());
    assertNotEquals(stream, new RandomKey(7, PATH, 3).stream());
    assertNotEquals(stream, new RandomKey(7, PATH.child("a"), 2).stream());
  }
}
