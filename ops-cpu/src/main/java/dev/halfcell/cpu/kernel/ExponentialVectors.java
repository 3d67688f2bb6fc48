package dev.halfcell.cpu.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * In vectors, each from its number to its exponential without a way over an array. Only where
 * {@link VectorModule#present} holds.
 *
 * <p>Both loops are written out: a helper of more than 35 bytes is inlined only where the JIT has
 * counted enough calls of it, and otherwise all vectors are objects.
 */
final class ExponentialVectors implements Exponentials {
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
  private static final int LENGTH = DOUBLES.length();

  /** Room for what is shifted, and for the numbers behind the last whole vector. */
  private final double[] room = new double[BLOCK];

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
  public void lessOne(double[] x, int count) {
    int bound = DOUBLES.loopBound(count);
    wholeLessOne(x, bound);
    if (bound < count) {
      System.arraycopy(x, bound, room, 0, count - bound);
      wholeLessOne(room, LENGTH);
      System.arraycopy(room, 0, x, bound, count - bound);
    }
  }

  @Override
  public void shifted(float[] x, double shift, int count) {
    for (int start = 0; start < count; start += BLOCK) {
      int several = Math.min(BLOCK, count - start);
      ExponentialArrays.subtract(x, start, shift, room, several);
      whole(room, DOUBLES.loopBound(several + LENGTH - 1));
      ExponentialArrays.round(room, x, start, several);
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

  private static void wholeLessOne(double[] x, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      DoubleVector near = DoubleVector.fromArray(DOUBLES, x, i);
      DoubleVector shifted = near.mul(PER_LN_2).add(ROUNDING);
      DoubleVector r = near.sub(shifted.sub(ROUNDING).mul(LN_2));
      LongVector bits = shifted.reinterpretAsLongs().add(1023).lanewise(VectorOperators.LSHL, 52);
      DoubleVector power = bits.reinterpretAsDoubles();
      DoubleVector series = DoubleVector.broadcast(DOUBLES, C9);
      series = r.fma(series, DoubleVector.broadcast(DOUBLES, C8));
      series = r.fma(series, DoubleVector.broadcast(DOUBLES, C7));
      series = r.fma(series, DoubleVector.broadcast(DOUBLES, C6));
      series = r.fma(series, DoubleVector.broadcast(DOUBLES, C5));
      series = r.fma(series, DoubleVector.broadcast(DOUBLES, C4));
      series = r.fma(series, DoubleVector.broadcast(DOUBLES, C3));
      series = r.fma(series, DoubleVector.broadcast(DOUBLES, C2));
      series = r.mul(r.fma(series, DoubleVector.broadcast(DOUBLES, 1)));
      series.mul(power).add(power.sub(1)).intoArray(x, i);
    }
  }
}
