package dev.halfcell.zoo.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.halfcell.tensor.DataException;

/** Whatever bytes a file of images or labels has: they are an array of its size, or refused. */
final class IdxFuzzTest {
  @FuzzTest(maxDuration = "3m")
  void bytesAreAnArrayOrRefused(byte[] file) {
    for (int axes : new int[] {1, 3}) {
      try {
        IdxFile read = IdxFile.parse(file, "the file", axes);
        assertEquals(axes, read.sizes().size());
        assertEquals(read.elements().length, read.sizes().stream().reduce(1, Math::multiplyExact));
      } catch (DataException refused) {
        assertFalse(refused.problem().got().isBlank());
      }
    }
  }
}
