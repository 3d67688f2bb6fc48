package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.FloatVectors.FLOATS;
import static dev.halfcell.cpu.kernel.Transfers.MEMORY;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Adds squares of floats to the lanes of {@link Squares} in vectors, where the floats lie. Only
 * where {@link VectorModule#usable} holds.
 */
final class SquareVectors {
  private static final VectorSpecies<Double> DOUBLES =
      VectorSpecies.of(double.class, FLOATS.vectorShape());
  private static final int LENGTH = FLOATS.length();
  private static final int HALF = DOUBLES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private SquareVectors() {}

  /**
   * Adds the squares of {@code count} floats, each multiplied by {@code factor} before, number i to
   * lane i.
   */
  static void add(long address, float factor, double[] lanes, int count) {
    int bound = FLOATS.loopBound(count);
    for (int i = 0; i < bound; i += LENGTH) {
      FloatVector values =
          FloatVector.fromMemorySegment(FLOATS, MEMORY, address + 4L * i, ORDER).mul(factor);
      DoubleVector wide0 = (DoubleVector) values.convertShape(VectorOperators.F2D, DOUBLES, 0);
      DoubleVector.fromArray(DOUBLES, lanes, i).add(wide0.mul(wide0)).intoArray(lanes, i);
      DoubleVector wide1 = (DoubleVector) values.convertShape(VectorOperators.F2D, DOUBLES, 1);
      DoubleVector.fromArray(DOUBLES, lanes, i + HALF)
          .add(wide1.mul(wide1))
          .intoArray(lanes, i + HALF);
    }
    for (int i = bound; i < count; i++) {
      double value = MEMORY.get(FLOAT, address + 4L * i) * factor;
      lanes[i] += value * value;
    }
  }
}
