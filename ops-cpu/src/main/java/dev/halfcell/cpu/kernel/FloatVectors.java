package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.Transfers.MEMORY;

import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Helpers of loops in vectors of floats. Only where {@link VectorModule#usable} holds.
 *
 * <p>A helper in vectors, here and elsewhere, has at most 35 bytes of code and calls no other
 * helper. Else the JIT inlines it or not by what it has counted when a loop is compiled, and that
 * differs from one process to the next; where it does not, vectors become objects, and the loop
 * takes up to five times as long until the process ends (ADR 0007). A loop that is inlined into
 * much else calls none at all.
 */
final class FloatVectors {
  static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private FloatVectors() {}

  /** The floats at an address. */
  static FloatVector load(long address) {
    return FloatVector.fromMemorySegment(FLOATS, MEMORY, address, ORDER);
  }

  /** Puts floats at an address. */
  static void store(FloatVector values, long address) {
    values.intoMemorySegment(MEMORY, address, ORDER);
  }

  /** Those of an array from {@code i} on. */
  static FloatVector at(float[] values, int i) {
    return FloatVector.fromArray(FLOATS, values, i);
  }

  /** Each value where the one of {@code mask} is above 0, else 0. */
  static FloatVector kept(FloatVector values, FloatVector mask) {
    return FloatVector.zero(FLOATS).blend(values, mask.compare(VectorOperators.GT, 0f));
  }

  /** b · (x − m) + c. */
  static FloatVector scaled(FloatVector x, FloatVector b, FloatVector c, FloatVector m) {
    return b.mul(x.sub(m)).add(c);
  }
}
