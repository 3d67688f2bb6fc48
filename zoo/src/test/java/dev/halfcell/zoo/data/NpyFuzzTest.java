package dev.halfcell.zoo.data;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.halfcell.tensor.DataException;
import dev.halfcell.zoo.Allocations;

/** Whatever bytes an NPY file has: they are an array of its size, or refused. */
final class NpyFuzzTest {
  @FuzzTest(maxDuration = "1h", maxExecutions = 5_000_000)
  void bytesAreAnArrayOrRefused(byte[] file) throws Throwable {
    Allocations.bounded(file.length, () -> read(file));
  }

  private static void read(byte[] file) {
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
