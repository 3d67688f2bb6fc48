package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.FloatVectors.FLOATS;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link RunningSums} and {@link Largest} in vectors: the same bits. {@code bound} is
 * a multiple of {@link RunningSums#STEP} behind {@code from}. Only where {@link #suit} holds.
 *
 * <p>Vectors have the preferred size as all others have, so that sixteen sums are two of these or
 * four, each with a loop of its own. The loops are inlined into much else and call no helper. A sum
 * is what is added to what was just read, not the other way round: of the latter the JIT knows
 * which class of vectors it is, of a sum only if it has counted calls before it compiles (ADR
 * 0007).
 */
final class RunningVectors {
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
  private static final int LENGTH = DOUBLES.length();
  private static final boolean TWO = LENGTH == 8;

  private RunningVectors() {}

  /** Whether sixteen sums are a few vectors here, where {@link VectorModule#usable} holds. */
  static boolean suit() {
    return LENGTH == 8 || LENGTH == 4;
  }

  static double of(float[] a, int from, int bound) {
    return TWO ? inTwo(a, from, bound) : inFour(a, from, bound);
  }

  static double of(double[] a, int from, int bound) {
    return TWO ? inTwo(a, from, bound) : inFour(a, from, bound);
  }

  static double ofProducts(float[] a, float[] b, int from, int bound) {
    return TWO ? inTwo(a, b, from, bound) : inFour(a, b, from, bound);
  }

  private static double inTwo(float[] a, int from, int bound) {
    DoubleVector s0 = DoubleVector.zero(DOUBLES);
    DoubleVector s8 = DoubleVector.zero(DOUBLES);
    for (int i = from; i < bound; i += 16) {
      FloatVector x = FloatVector.fromArray(FLOATS, a, i);
      s0 = ((DoubleVector) x.convertShape(VectorOperators.F2D, DOUBLES, 0)).add(s0);
      s8 = ((DoubleVector) x.convertShape(VectorOperators.F2D, DOUBLES, 1)).add(s8);
    }
    DoubleVector s = s0.add(s8);
    double t0 = s.lane(0) + s.lane(4);
    double t1 = s.lane(1) + s.lane(5);
    double t2 = s.lane(2) + s.lane(6);
    double t3 = s.lane(3) + s.lane(7);
    return t0 + t1 + (t2 + t3);
  }

  private static double inFour(float[] a, int from, int bound) {
    DoubleVector s0 = DoubleVector.zero(DOUBLES);
    DoubleVector s4 = DoubleVector.zero(DOUBLES);
    DoubleVector s8 = DoubleVector.zero(DOUBLES);
    DoubleVector s12 = DoubleVector.zero(DOUBLES);
    for (int i = from; i < bound; i += 16) {
      FloatVector x = FloatVector.fromArray(FLOATS, a, i);
      FloatVector y = FloatVector.fromArray(FLOATS, a, i + 8);
      s0 = ((DoubleVector) x.convertShape(VectorOperators.F2D, DOUBLES, 0)).add(s0);
      s4 = ((DoubleVector) x.convertShape(VectorOperators.F2D, DOUBLES, 1)).add(s4);
      s8 = ((DoubleVector) y.convertShape(VectorOperators.F2D, DOUBLES, 0)).add(s8);
      s12 = ((DoubleVector) y.convertShape(VectorOperators.F2D, DOUBLES, 1)).add(s12);
    }
    DoubleVector t = s0.add(s8).add(s4.add(s12));
    return t.lane(0) + t.lane(1) + (t.lane(2) + t.lane(3));
  }

  private static double inTwo(double[] a, int from, int bound) {
    DoubleVector s0 = DoubleVector.zero(DOUBLES);
    DoubleVector s8 = DoubleVector.zero(DOUBLES);
    for (int i = from; i < bound; i += 16) {
      s0 = DoubleVector.fromArray(DOUBLES, a, i).add(s0);
      s8 = DoubleVector.fromArray(DOUBLES, a, i + 8).add(s8);
    }
    DoubleVector s = s0.add(s8);
    double t0 = s.lane(0) + s.lane(4);
    double t1 = s.lane(1) + s.lane(5);
    double t2 = s.lane(2) + s.lane(6);
    double t3 = s.lane(3) + s.lane(7);
    return t0 + t1 + (t2 + t3);
  }

  private static double inFour(double[] a, int from, int bound) {
    DoubleVector s0 = DoubleVector.zero(DOUBLES);
    DoubleVector s4 = DoubleVector.zero(DOUBLES);
    DoubleVector s8 = DoubleVector.zero(DOUBLES);
    DoubleVector s12 = DoubleVector.zero(DOUBLES);
    for (int i = from; i < bound; i += 16) {
      s0 = DoubleVector.fromArray(DOUBLES, a, i).add(s0);
      s4 = DoubleVector.fromArray(DOUBLES, a, i + 4).add(s4);
      s8 = DoubleVector.fromArray(DOUBLES, a, i + 8).add(s8);
      s12 = DoubleVector.fromArray(DOUBLES, a, i + 12).add(s12);
    }
    DoubleVector t = s0.add(s8).add(s4.add(s12));
    return t.lane(0) + t.lane(1) + (t.lane(2) + t.lane(3));
  }

  private static double inTwo(float[] a, float[] b, int from, int bound) {
    DoubleVector s0 = DoubleVector.zero(DOUBLES);
    DoubleVector s8 = DoubleVector.zero(DOUBLES);
    for (int i = from; i < bound; i += 16) {
      FloatVector x = FloatVector.fromArray(FLOATS, a, i);
      FloatVector y = FloatVector.fromArray(FLOATS, b, i);
      s0 =
          ((DoubleVector) x.convertShape(VectorOperators.F2D, DOUBLES, 0))
              .mul(y.convertShape(VectorOperators.F2D, DOUBLES, 0))
              .add(s0);
      s8 =
          ((DoubleVector) x.convertShape(VectorOperators.F2D, DOUBLES, 1))
              .mul(y.convertShape(VectorOperators.F2D, DOUBLES, 1))
              .add(s8);
    }
    DoubleVector s = s0.add(s8);
    double t0 = s.lane(0) + s.lane(4);
    double t1 = s.lane(1) + s.lane(5);
    double t2 = s.lane(2) + s.lane(6);
    double t3 = s.lane(3) + s.lane(7);
    return t0 + t1 + (t2 + t3);
  }

  private static double inFour(float[] a, float[] b, int from, int bound) {
    DoubleVector s0 = DoubleVector.zero(DOUBLES);
    DoubleVector s4 = DoubleVector.zero(DOUBLES);
    DoubleVector s8 = DoubleVector.zero(DOUBLES);
    DoubleVector s12 = DoubleVector.zero(DOUBLES);
    for (int i = from; i < bound; i += 16) {
      FloatVector x = FloatVector.fromArray(FLOATS, a, i);
      FloatVector y = FloatVector.fromArray(FLOATS, b, i);
      FloatVector u = FloatVector.fromArray(FLOATS, a, i + 8);
      FloatVector v = FloatVector.fromArray(FLOATS, b, i + 8);
      s0 =
          ((DoubleVector) x.convertShape(VectorOperators.F2D, DOUBLES, 0))
              .mul(y.convertShape(VectorOperators.F2D, DOUBLES, 0))
              .add(s0);
      s4 =
          ((DoubleVector) x.convertShape(VectorOperators.F2D, DOUBLES, 1))
              .mul(y.convertShape(VectorOperators.F2D, DOUBLES, 1))
              .add(s4);
      s8 =
          ((DoubleVector) u.convertShape(VectorOperators.F2D, DOUBLES, 0))
              .mul(v.convertShape(VectorOperators.F2D, DOUBLES, 0))
              .add(s8);
      s12 =
          ((DoubleVector) u.convertShape(VectorOperators.F2D, DOUBLES, 1))
              .mul(v.convertShape(VectorOperators.F2D, DOUBLES, 1))
              .add(s12);
    }
    DoubleVector t = s0.add(s8).add(s4.add(s12));
    return t.lane(0) + t.lane(1) + (t.lane(2) + t.lane(3));
  }

  /** The largest of some numbers, at least a step of them. */
  static float largest(float[] a, int from, int bound) {
    FloatVector largest = FloatVector.fromArray(FLOATS, a, from);
    for (int i = from + FLOATS.length(); i < bound; i += FLOATS.length()) {
      largest = FloatVector.fromArray(FLOATS, a, i).max(largest);
    }
    return largest.reduceLanes(VectorOperators.MAX);
  }
}
