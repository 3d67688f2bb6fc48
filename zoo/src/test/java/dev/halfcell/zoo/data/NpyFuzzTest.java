package dev.halfcell.zoo.data;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.halfcell.tensor.DataException;

/** Whatever bytes an NPY file has: they are an array of its size, or refused. */
final class NpyFuzzTest {
  @FuzzTest(maxDuration = "3m")
  void bytesAreAnArrayOrRefused(byte[] file) {
    try {
      NpyArray read = NpyArray.parse(file, "the file");
      long elements =
          read.sizes().stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
      assertTrue(elements >= 1 && elements <= read.elements().remaining());
    } catch (DataException refused) {
      assertFalse(refused.problem().got().isBlank());
    }
  }
}
