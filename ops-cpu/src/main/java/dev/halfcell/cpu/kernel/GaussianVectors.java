package dev.halfcell.cpu.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * What {@link GaussianLoops} does, in vectors and with the same bits. One part's; only where {@link
 * VectorModule#usable} holds.
 */
final class GaussianVectors {
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

  /** As many floats as there are doubles. */
  private static final VectorSpecies<Float> FLOATS =
      VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

  private static final int LENGTH = DOUBLES.length();

  private final Exponentials exponentials = new ExponentialVectors();
  private final double[] e = new double[Exponentials.BLOCK];
  private final double[] below = new double[Exponentials.BLOCK];

  /** The numbers behind the last whole vector: d, x and what is made of them. */
  private final float[][] rest = new float[3][LENGTH];

  /** x · Φ(x). */
  void gelu(float[][] in, float[][] out, int count, int start) {
    int whole = DOUBLES.loopBound(count);
    for (int from = 0; from < whole; from += e.length) {
      wholeGelu(in[0], out[0], from, Math.min(e.length, whole - from));
    }
    if (whole < count) {
      System.arraycopy(in[0], whole, rest[1], 0, count - whole);
      wholeGelu(rest[1], rest[2], 0, LENGTH);
      System.arraycopy(rest[2], 0, out[0], whole, count - whole);
    }
  }

  private void wholeGelu(float[] x, float[] y, int from, int count) {
    distribution(x, from, count);
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector given = FloatVector.fromArray(FLOATS, x, from + i);
      DoubleVector wide = (DoubleVector) given.convertShape(VectorOperators.F2D, DOUBLES, 0);
      DoubleVector product = wide.mul(DoubleVector.fromArray(DOUBLES, below, i));
      ((FloatVector) product.convertShape(VectorOperators.D2F, FLOATS, 0)).intoArray(y, from + i);
    }
  }

  /** d · (Φ(x) + x · Φ′(x)). */
  void geluSlope(float[][] in, float[][] out, int count, int start) {
    int whole = DOUBLES.loopBound(count);
    for (int from = 0; from < whole; from += e.length) {
      wholeSlope(in[0], in[1], out[0], from, Math.min(e.length, whole - from));
    }
    if (whole < count) {
      System.arraycopy(in[0], whole, rest[0], 0, count - whole);
      System.arraycopy(in[1], whole, rest[1], 0, count - whole);
      wholeSlope(rest[0], rest[1], rest[2], 0, LENGTH);
      System.arraycopy(rest[2], 0, out[0], whole, count - whole);
    }
  }

  /** Comparisons leave a NaN as it is, as minimum and maximum do. */
  private void wholeSlope(float[] d, float[] x, float[] dx, int from, int count) {
    double far = GaussianLoops.FAR;
    distribution(x, from, count);
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector given = FloatVector.fromArray(FLOATS, x, from + i);
      DoubleVector wide = (DoubleVector) given.convertShape(VectorOperators.F2D, DOUBLES, 0);
      DoubleVector near =
          wide.blend(-far, wide.compare(VectorOperators.LT, -far))
              .blend(far, wide.compare(VectorOperators.GT, far));
      DoubleVector density =
          DoubleVector.fromArray(DOUBLES, e, i).mul(GaussianLoops.PER_ROOT).mul(near);
      DoubleVector slope = DoubleVector.fromArray(DOUBLES, below, i).add(density);
      FloatVector above = FloatVector.fromArray(FLOATS, d, from + i);
      DoubleVector product =
          ((DoubleVector) above.convertShape(VectorOperators.F2D, DOUBLES, 0)).mul(slope);
      ((FloatVector) product.convertShape(VectorOperators.D2F, FLOATS, 0)).intoArray(dx, from + i);
    }
  }

  /** Puts e^(−x² / 2) of each x to e, and Φ(x) to {@link #below}. */
  private void distribution(float[] x, int from, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector given = FloatVector.fromArray(FLOATS, x, from + i);
      DoubleVector wide = (DoubleVector) given.convertShape(VectorOperators.F2D, DOUBLES, 0);
      wide.mul(-0.5).mul(wide).intoArray(e, i);
    }
    exponentials.of(e, count);
    tails(x, from, count);
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector given = FloatVector.fromArray(FLOATS, x, from + i);
      DoubleVector wide = (DoubleVector) given.convertShape(VectorOperators.F2D, DOUBLES, 0);
      DoubleVector sign =
          wide.blend(-1, wide.compare(VectorOperators.LT, 0))
              .blend(1, wide.compare(VectorOperators.GT, 0));
      DoubleVector tails = DoubleVector.fromArray(DOUBLES, below, i);
      sign.mul(0.5).add(0.5).sub(sign.mul(tails)).intoArray(below, i);
    }
  }

  /** {@link NormalTail}: the distribution beyond |x|. */
  private void tails(float[] x, int from, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector given = FloatVector.fromArray(FLOATS, x, from + i).abs();
      DoubleVector size = (DoubleVector) given.convertShape(VectorOperators.F2D, DOUBLES, 0);
      DoubleVector one = DoubleVector.broadcast(DOUBLES, 1);
      DoubleVector t = one.div(size.fma(DoubleVector.broadcast(DOUBLES, NormalTail.PER_X), one));
      DoubleVector sum = DoubleVector.broadcast(DOUBLES, NormalTail.C13);
      sum = t.fma(sum, DoubleVector.broadcast(DOUBLES, NormalTail.C12));
      sum = t.fma(sum, DoubleVector.broadcast(DOUBLES, NormalTail.C11));
      sum = t.fma(sum, DoubleVector.broadcast(DOUBLES, NormalTail.C10));
      sum = t.fma(sum, DoubleVector.broadcast(DOUBLES, NormalTail.C9));
      sum = t.fma(sum, DoubleVector.broadcast(DOUBLES, NormalTail.C8));
      sum = t.fma(sum, DoubleVector.broadcast(DOUBLES, NormalTail.C7));
      sum = t.fma(sum, DoubleVector.broadcast(DOUBLES, NormalTail.C6));
      sum = t.fma(sum, DoubleVector.broadcast(DOUBLES, NormalTail.C5));
      sum = t.fma(sum, DoubleVector.broadcast(DOUBLES, NormalTail.C4));
      sum = t.fma(sum, DoubleVector.broadcast(DOUBLES, NormalTail.C3));
      sum = t.fma(sum, DoubleVector.broadcast(DOUBLES, NormalTail.C2));
      sum = t.fma(sum, DoubleVector.broadcast(DOUBLES, NormalTail.C1));
      sum = t.fma(sum, DoubleVector.broadcast(DOUBLES, NormalTail.C0));
      DoubleVector.fromArray(DOUBLES, e, i).mul(t.mul(sum)).intoArray(below, i);
    }
  }
}
