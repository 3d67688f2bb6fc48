package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.FloatVectors.FLOATS;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * In vectors, each from its number to its exponential without a way over an array. Only where
 * {@link VectorModule#usable} holds.
 *
 * <p>All loops are written out: a helper of more than 35 bytes is inlined only where the JIT has
 * counted enough calls of it, and otherwise all vectors are objects.
 */
final class ExponentialVectors implements Exponentials {
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
  private static final int LENGTH = DOUBLES.length();

  /** Room for the numbers behind the last whole vector. */
  private final double[] room = new double[LENGTH];

  private final float[] shiftedRoom = new float[FLOATS.length()];

  @Override
  public void of(double[] x, int count) {
    int bound = DOUBLES.loopBound(count);
    whole(x, bound);
    if (bound < count) {
      System.arraycopy(x, bound, room, 0, count - bound);
      whole(room, LENGTH);
      System.arraycopy(room, 0, x, bound, count - bound);
    }
  }

  @Override
  public void shifted(float[] x, int from, float shift, int count) {
    int bound = FLOATS.loopBound(count);
    wholeShifted(x, from, shift, bound);
    if (bound < count) {
      System.arraycopy(x, from + bound, shiftedRoom, 0, count - bound);
      wholeShifted(shiftedRoom, 0, shift, shiftedRoom.length);
      System.arraycopy(shiftedRoom, 0, x, from + bound, count - bound);
    }
  }

  /** Comparisons leave a NaN as it is, as minimum and maximum do. */
  private static void whole(double[] x, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      DoubleVector given = DoubleVector.fromArray(DOUBLES, x, i);
      DoubleVector above = given.blend(LEAST, given.compare(VectorOperators.LT, LEAST));
      DoubleVector near = above.blend(MOST, above.compare(VectorOperators.GT, MOST));
      DoubleVector shifted = near.mul(PER_LN_2).add(ROUNDING);
      DoubleVector r = near.sub(shifted.sub(ROUNDING).mul(LN_2));
      LongVector bits = shifted.reinterpretAsLongs().add(1023).lanewise(VectorOperators.LSHL, 52);
      DoubleVector series = DoubleVector.broadcast(DOUBLES, C9);
      series = r.fma(series, DoubleVector.broadcast(DOUBLES, C8));
      series = r.fma(series, DoubleVector.broadcast(DOUBLES, C7));
      series = r.fma(series, DoubleVector.broadcast(DOUBLES, C6));
      series = r.fma(series, DoubleVector.broadcast(DOUBLES, C5));
      series = r.fma(series, DoubleVector.broadcast(DOUBLES, C4));
      series = r.fma(series, DoubleVector.broadcast(DOUBLES, C3));
      series = r.fma(series, DoubleVector.broadcast(DOUBLES, C2));
      series = r.mul(r.fma(series, DoubleVector.broadcast(DOUBLES, 1)));
      series.add(1).mul(bits.reinterpretAsDoubles()).intoArray(x, i);
    }
  }

  private static void wholeShifted(float[] x, int from, float shift, int count) {
    for (int i = from; i < from + count; i += FLOATS.length()) {
      FloatVector given = FloatVector.fromArray(FLOATS, x, i).sub(shift);
      FloatVector above = given.blend(FLOAT_LEAST, given.compare(VectorOperators.LT, FLOAT_LEAST));
      FloatVector near = above.blend(FLOAT_MOST, above.compare(VectorOperators.GT, FLOAT_MOST));
      FloatVector shifted = near.mul(FLOAT_PER_LN_2).add(FLOAT_ROUNDING);
      FloatVector whole = shifted.sub(FLOAT_ROUNDING);
      FloatVector r = whole.fma(FloatVector.broadcast(FLOATS, -LN_2_HIGH), near);
      r = whole.fma(FloatVector.broadcast(FLOATS, -LN_2_LOW), r);
      IntVector n = shifted.reinterpretAsInts().sub(ROUNDING_BITS);
      IntVector half = n.lanewise(VectorOperators.ASHR, 1);
      IntVector rest = n.sub(half).add(127).lanewise(VectorOperators.LSHL, 23);
      half = half.add(127).lanewise(VectorOperators.LSHL, 23);
      FloatVector series = FloatVector.broadcast(FLOATS, (float) C7);
      series = r.fma(series, FloatVector.broadcast(FLOATS, (float) C6));
      series = r.fma(series, FloatVector.broadcast(FLOATS, (float) C5));
      series = r.fma(series, FloatVector.broadcast(FLOATS, (float) C4));
      series = r.fma(series, FloatVector.broadcast(FLOATS, (float) C3));
      series = r.fma(series, FloatVector.broadcast(FLOATS, (float) C2));
      series = r.mul(r).fma(series, r).add(1);
      series.mul(half.reinterpretAsFloats()).mul(rest.reinterpretAsFloats()).intoArray(x, i);
    }
  }
}
