package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.Bf16Vectors.halves;
import static dev.halfcell.cpu.kernel.Bf16Vectors.nans;
import static dev.halfcell.cpu.kernel.Bf16Vectors.put;
import static dev.halfcell.cpu.kernel.Bf16Vectors.rounded;
import static dev.halfcell.cpu.kernel.Bf16Vectors.widened;
import static dev.halfcell.cpu.kernel.FloatVectors.FLOATS;
import static dev.halfcell.cpu.kernel.FloatVectors.at;
import static dev.halfcell.cpu.kernel.FloatVectors.kept;
import static dev.halfcell.cpu.kernel.FloatVectors.scaled;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** {@link ChannelVectors} and {@link ChannelGradients} over BF16. */
final class Bf16Channels implements ChannelVectors, ChannelGradients {
  private static final VectorSpecies<Double> DOUBLES =
      VectorSpecies.of(double.class, FLOATS.vectorShape());
  private static final int LENGTH = FLOATS.length();
  private static final int HALF = DOUBLES.length();

  @Override
  public void map(long x, long y, Numbers of, float least, int count) {
    float[] b = of.b();
    float[] c = of.c();
    float[] m = of.m();
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector result =
          scaled(widened(halves(x + 2L * i)), at(b, i), at(c, i), at(m, i)).max(least);
      put(rounded(result.reinterpretAsInts(), nans(result)), y + 2L * i);
    }
  }

  @Override
  public void mapAdded(long x, long z, long y, Numbers of, float least, int count) {
    float[] b = of.b();
    float[] c = of.c();
    float[] m = of.m();
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector result =
          scaled(widened(halves(x + 2L * i)), at(b, i), at(c, i), at(m, i))
              .add(widened(halves(z + 2L * i)))
              .max(least);
      put(rounded(result.reinterpretAsInts(), nans(result)), y + 2L * i);
    }
  }

  @Override
  public void mapGradient(long d, long x, long y, Numbers of, int count) {
    float[] a = of.a();
    float[] b = of.b();
    float[] c = of.c();
    float[] m = of.m();
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector product = at(a, i).mul(widened(halves(d + 2L * i)));
      FloatVector result =
          scaled(widened(halves(x + 2L * i)), at(b, i), at(c, i), at(m, i)).add(product);
      put(rounded(result.reinterpretAsInts(), nans(result)), y + 2L * i);
    }
  }

  @Override
  public void mapMasked(long d, long above, long x, long y, Numbers of, int count) {
    float[] a = of.a();
    float[] b = of.b();
    float[] c = of.c();
    float[] m = of.m();
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector product =
          at(a, i).mul(kept(widened(halves(d + 2L * i)), widened(halves(above + 2L * i))));
      FloatVector result =
          scaled(widened(halves(x + 2L * i)), at(b, i), at(c, i), at(m, i)).add(product);
      put(rounded(result.reinterpretAsInts(), nans(result)), y + 2L * i);
    }
  }

  @Override
  public void sums(long x, Totals to, int count, int width) {
    double[] center = to.center();
    double[] first = to.first();
    double[] second = to.second();
    for (int lane = 0; lane < width; lane += LENGTH) {
      DoubleVector center0 = DoubleVector.fromArray(DOUBLES, center, lane);
      DoubleVector center1 = DoubleVector.fromArray(DOUBLES, center, lane + HALF);
      DoubleVector first0 = DoubleVector.fromArray(DOUBLES, first, lane);
      DoubleVector first1 = DoubleVector.fromArray(DOUBLES, first, lane + HALF);
      DoubleVector second0 = DoubleVector.fromArray(DOUBLES, second, lane);
      DoubleVector second1 = DoubleVector.fromArray(DOUBLES, second, lane + HALF);
      for (int i = lane; i < count; i += width) {
        FloatVector values = widened(halves(x + 2L * i));
        DoubleVector away0 =
            ((DoubleVector) values.convertShape(VectorOperators.F2D, DOUBLES, 0)).sub(center0);
        DoubleVector away1 =
            ((DoubleVector) values.convertShape(VectorOperators.F2D, DOUBLES, 1)).sub(center1);
        first0 = away0.add(first0);
        second0 = away0.mul(away0).add(second0);
        first1 = away1.add(first1);
        second1 = away1.mul(away1).add(second1);
      }
      first0.intoArray(first, lane);
      first1.intoArray(first, lane + HALF);
      second0.intoArray(second, lane);
      second1.intoArray(second, lane + HALF);
    }
  }

  @Override
  public void sumsGradient(long d, long x, Totals to, int count, int width) {
    double[] center = to.center();
    double[] first = to.first();
    double[] second = to.second();
    for (int lane = 0; lane < width; lane += LENGTH) {
      DoubleVector center0 = DoubleVector.fromArray(DOUBLES, center, lane);
      DoubleVector center1 = DoubleVector.fromArray(DOUBLES, center, lane + HALF);
      DoubleVector first0 = DoubleVector.fromArray(DOUBLES, first, lane);
      DoubleVector first1 = DoubleVector.fromArray(DOUBLES, first, lane + HALF);
      DoubleVector second0 = DoubleVector.fromArray(DOUBLES, second, lane);
      DoubleVector second1 = DoubleVector.fromArray(DOUBLES, second, lane + HALF);
      for (int i = lane; i < count; i += width) {
        FloatVector slopes = widened(halves(d + 2L * i));
        FloatVector values = widened(halves(x + 2L * i));
        DoubleVector slope0 = (DoubleVector) slopes.convertShape(VectorOperators.F2D, DOUBLES, 0);
        DoubleVector away0 =
            ((DoubleVector) values.convertShape(VectorOperators.F2D, DOUBLES, 0)).sub(center0);
        DoubleVector slope1 = (DoubleVector) slopes.convertShape(VectorOperators.F2D, DOUBLES, 1);
        DoubleVector away1 =
            ((DoubleVector) values.convertShape(VectorOperators.F2D, DOUBLES, 1)).sub(center1);
        first0 = slope0.add(first0);
        second0 = slope0.mul(away0).add(second0);
        first1 = slope1.add(first1);
        second1 = slope1.mul(away1).add(second1);
      }
      first0.intoArray(first, lane);
      first1.intoArray(first, lane + HALF);
      second0.intoArray(second, lane);
      second1.intoArray(second, lane + HALF);
    }
  }

  @Override
  public void sumsMasked(long d, long above, long x, Totals to, int count, int width) {
    double[] center = to.center();
    double[] first = to.first();
    double[] second = to.second();
    for (int lane = 0; lane < width; lane += LENGTH) {
      DoubleVector center0 = DoubleVector.fromArray(DOUBLES, center, lane);
      DoubleVector center1 = DoubleVector.fromArray(DOUBLES, center, lane + HALF);
      DoubleVector first0 = DoubleVector.fromArray(DOUBLES, first, lane);
      DoubleVector first1 = DoubleVector.fromArray(DOUBLES, first, lane + HALF);
      DoubleVector second0 = DoubleVector.fromArray(DOUBLES, second, lane);
      DoubleVector second1 = DoubleVector.fromArray(DOUBLES, second, lane + HALF);
      for (int i = lane; i < count; i += width) {
        FloatVector slopes = kept(widened(halves(d + 2L * i)), widened(halves(above + 2L * i)));
        FloatVector values = widened(halves(x + 2L * i));
        DoubleVector slope0 = (DoubleVector) slopes.convertShape(VectorOperators.F2D, DOUBLES, 0);
        DoubleVector away0 =
            ((DoubleVector) values.convertShape(VectorOperators.F2D, DOUBLES, 0)).sub(center0);
        DoubleVector slope1 = (DoubleVector) slopes.convertShape(VectorOperators.F2D, DOUBLES, 1);
        DoubleVector away1 =
            ((DoubleVector) values.convertShape(VectorOperators.F2D, DOUBLES, 1)).sub(center1);
        first0 = slope0.add(first0);
        second0 = slope0.mul(away0).add(second0);
        first1 = slope1.add(first1);
        second1 = slope1.mul(away1).add(second1);
      }
      first0.intoArray(first, lane);
      first1.intoArray(first, lane + HALF);
      second0.intoArray(second, lane);
      second1.intoArray(second, lane + HALF);
    }
  }
}
