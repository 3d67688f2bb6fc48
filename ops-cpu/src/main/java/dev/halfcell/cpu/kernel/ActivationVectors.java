package dev.halfcell.cpu.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** In vectors. Only where {@link VectorModule#present} holds. */
final class ActivationVectors implements Activations {
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

  /** As many floats as there are doubles. */
  private static final VectorSpecies<Float> FLOATS =
      VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

  private static final int LENGTH = DOUBLES.length();

  private final Exponentials exponentials = new ExponentialVectors();
  private final double[] values = new double[Exponentials.BLOCK];

  /** The numbers behind the last whole vector. */
  private final float[] rest = new float[LENGTH];

  @Override
  public void tanh(float[] x, int from, int to) {
    int whole = from + DOUBLES.loopBound(to - from);
    for (int start = from; start < whole; start += values.length) {
      wholeTanh(x, start, Math.min(values.length, whole - start));
    }
    if (whole < to) {
      System.arraycopy(x, whole, rest, 0, to - whole);
      wholeTanh(rest, 0, LENGTH);
      System.arraycopy(rest, 0, x, whole, to - whole);
    }
  }

  private void wholeTanh(float[] x, int from, int count) {
    twice(x, from, values, count);
    exponentials.lessOne(values, count);
    ratio(values, x, from, count);
  }

  @Override
  public void sigmoid(float[] x, int from, int to) {
    int whole = from + DOUBLES.loopBound(to - from);
    for (int start = from; start < whole; start += values.length) {
      wholeSigmoid(x, start, Math.min(values.length, whole - start));
    }
    if (whole < to) {
      System.arraycopy(x, whole, rest, 0, to - whole);
      wholeSigmoid(rest, 0, LENGTH);
      System.arraycopy(rest, 0, x, whole, to - whole);
    }
  }

  private void wholeSigmoid(float[] x, int from, int count) {
    negative(x, from, values, count);
    exponentials.of(values, count);
    logistic(values, x, from, count);
  }

  /** Comparisons leave a NaN as it is, as minimum and maximum do. */
  private static void twice(float[] x, int from, double[] to, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector given = FloatVector.fromArray(FLOATS, x, from + i);
      DoubleVector wide = (DoubleVector) given.convertShape(VectorOperators.F2D, DOUBLES, 0);
      wide.blend(-FAR, wide.compare(VectorOperators.LT, -FAR))
          .blend(FAR, wide.compare(VectorOperators.GT, FAR))
          .mul(2)
          .intoArray(to, i);
    }
  }

  private static void ratio(double[] e, float[] to, int from, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      DoubleVector less = DoubleVector.fromArray(DOUBLES, e, i);
      ((FloatVector) less.div(less.add(2)).convertShape(VectorOperators.D2F, FLOATS, 0))
          .intoArray(to, from + i);
    }
  }

  private static void negative(float[] x, int from, double[] to, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector given = FloatVector.fromArray(FLOATS, x, from + i);
      ((DoubleVector) given.neg().convertShape(VectorOperators.F2D, DOUBLES, 0)).intoArray(to, i);
    }
  }

  private static void logistic(double[] e, float[] to, int from, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      DoubleVector one = DoubleVector.broadcast(DOUBLES, 1);
      DoubleVector logistic = one.div(DoubleVector.fromArray(DOUBLES, e, i).add(1));
      ((FloatVector) logistic.convertShape(VectorOperators.D2F, FLOATS, 0)).intoArray(to, from + i);
    }
  }
}
