package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.Transfers.MEMORY;

import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;

/**
 * Casts between floats and BF16 in vectors, from memory to memory. Only where {@link
 * VectorModule#usable} holds.
 */
final class Bf16Casts {
  private static final int LENGTH = FloatVectors.FLOATS.length();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private Bf16Casts() {}

  /** Rounds {@code count} floats to the nearest BF16, to even between two. */
  static void narrow(long from, long to, int count) {
    int bound = FloatVectors.FLOATS.loopBound(count);
    for (int i = 0; i < bound; i += LENGTH) {
      FloatVector values = FloatVectors.load(from + 4L * i);
      Bf16Vectors.put(
          Bf16Vectors.rounded(values.reinterpretAsInts(), Bf16Vectors.nans(values)), to + 2L * i);
    }
    for (int i = bound; i < count; i++) {
      MEMORY.set(
          Bf16Vectors.HALF, to + 2L * i, Bf16Vectors.rounded(MEMORY.get(FLOAT, from + 4L * i)));
    }
  }

  /** Writes {@code count} elements as floats. */
  static void widen(long from, long to, int count) {
    int bound = FloatVectors.FLOATS.loopBound(count);
    for (int i = 0; i < bound; i += LENGTH) {
      FloatVectors.store(Bf16Vectors.widened(Bf16Vectors.halves(from + 2L * i)), to + 4L * i);
    }
    for (int i = bound; i < count; i++) {
      MEMORY.set(FLOAT, to + 4L * i, Bf16Vectors.single(from + 2L * i));
    }
  }
}
