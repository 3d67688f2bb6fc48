package dev.halfcell.zoo.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.halfcell.tensor.DataException;
import dev.halfcell.zoo.Allocations;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** Whatever bytes a file of images or labels has: they are an array of its size, or refused. */
final class IdxFuzzTest {
  @FuzzTest(maxDuration = "1h", maxExecutions = 5_000_000)
  void bytesAreAnArrayOrRefused(byte[] file) throws Throwable {
    Allocations.bounded(file.length, () -> read(file));
  }

  private static void read(byte[] file) throws IOException {
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
