package dev.halfcell.zoo.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.halfcell.tensor.DataException;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** Whatever bytes a file of images or labels has: they are an array of its size, or refused. */
final class IdxFuzzTest {
  @FuzzTest(maxDuration = "3m")
  void bytesAreAnArrayOrRefused(byte[] file) throws IOException {
    for (int axes : new int[] {1, 3}) {
      try {
        IdxFile read = IdxFile.read(new ByteArrayInputStream(file), "the file", axes);
        assertEquals(axes, read.sizes().size());
        assertEquals(
            read.elements().size(),
            read.sizes().stream().reduce(1, Math::multiplyExact).longValue());
      } catch (DataException refused) {
        assertFalse(refused.problem().got().isBlank());
      }
    }
  }
}
