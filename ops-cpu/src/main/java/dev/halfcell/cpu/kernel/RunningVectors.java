package dev.halfcell.cpu.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link RunningSums} in vectors, four of four sums each: the same bits. {@code bound}
 * is a multiple of {@link RunningSums#STEP} behind {@code from}. Only where {@link
 * VectorModule#present(int)} holds of {@link #BITS}.
 */
final class RunningVectors {
  /** What a vector has to have. */
  static final int BITS = 256;

  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_128;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_256;
  private static final int LENGTH = DOUBLES.length();

  private RunningVectors() {}

  static double of(float[] a, int from, int bound) {
    DoubleVector first = DoubleVector.zero(DOUBLES);
    DoubleVector second = first;
    DoubleVector third = first;
    DoubleVector fourth = first;
    for (int i = from; i < bound; i += RunningSums.STEP) {
      first = first.add(wide(a, i));
      second = second.add(wide(a, i + LENGTH));
      third = third.add(wide(a, i + 2 * LENGTH));
      fourth = fourth.add(wide(a, i + 3 * LENGTH));
    }
    return across(first.add(second).add(third.add(fourth)));
  }

  static double of(double[] a, int from, int bound) {
    DoubleVector first = DoubleVector.zero(DOUBLES);
    DoubleVector second = first;
    DoubleVector third = first;
    DoubleVector fourth = first;
    for (int i = from; i < bound; i += RunningSums.STEP) {
      first = first.add(DoubleVector.fromArray(DOUBLES, a, i));
      second = second.add(DoubleVector.fromArray(DOUBLES, a, i + LENGTH));
      third = third.add(DoubleVector.fromArray(DOUBLES, a, i + 2 * LENGTH));
      fourth = fourth.add(DoubleVector.fromArray(DOUBLES, a, i + 3 * LENGTH));
    }
    return across(first.add(second).add(third.add(fourth)));
  }

  static double ofProducts(float[] a, float[] b, int from, int bound) {
    DoubleVector first = DoubleVector.zero(DOUBLES);
    DoubleVector second = first;
    DoubleVector third = first;
    DoubleVector fourth = first;
    for (int i = from; i < bound; i += RunningSums.STEP) {
      first = first.add(wide(a, i).mul(wide(b, i)));
      second = second.add(wide(a, i + LENGTH).mul(wide(b, i + LENGTH)));
      third = third.add(wide(a, i + 2 * LENGTH).mul(wide(b, i + 2 * LENGTH)));
      fourth = fourth.add(wide(a, i + 3 * LENGTH).mul(wide(b, i + 3 * LENGTH)));
    }
    return across(first.add(second).add(third.add(fourth)));
  }

  private static Vector<Double> wide(float[] a, int i) {
    return FloatVector.fromArray(FLOATS, a, i).convertShape(VectorOperators.F2D, DOUBLES, 0);
  }

  private static double across(DoubleVector sums) {
    return sums.lane(0) + sums.lane(1) + (sums.lane(2) + sums.lane(3));
  }
}
