package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.FloatVectors.FLOATS;
import static dev.halfcell.cpu.kernel.Transfers.MEMORY;

import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;

/**
 * Masks floats on their way from memory to the heap, in vectors, as {@link PositiveMask} does in
 * loops over words. Only where {@link VectorModule#usable} holds.
 */
final class MaskVectors {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private MaskVectors() {}

  /**
   * Fetches the {@code count} floats at an address where those at {@code mask} are above 0, and
   * zeros elsewhere.
   */
  static void load(long address, long mask, float[] to, int count) {
    int bound = FLOATS.loopBound(count);
    for (int i = 0; i < bound; i += FLOATS.length()) {
      FloatVector values = FloatVectors.load(address + 4L * i);
      FloatVectors.kept(values, FloatVectors.load(mask + 4L * i)).intoArray(to, i);
    }
    for (int i = bound; i < count; i++) {
      float value = MEMORY.get(FLOAT, address + 4L * i);
      to[i] = MEMORY.get(FLOAT, mask + 4L * i) > 0 ? value : 0;
    }
  }
}
