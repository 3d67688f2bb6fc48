package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.Transfers.MEMORY;

import dev.halfcell.cpu.kernel.ChannelVectors.Numbers;
import dev.halfcell.cpu.kernel.ChannelVectors.Totals;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** {@link ChannelGradients} over gradients in FP32 beside FP16. */
final class Fp16WideChannels implements ChannelGradients {
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Double> DOUBLES =
      VectorSpecies.of(double.class, FLOATS.vectorShape());
  private static final int LENGTH = FLOATS.length();
  private static final int HALF = DOUBLES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  @Override
  public void mapGradient(long d, long x, long y, Numbers of, int count) {
    float[] a = of.a();
    float[] b = of.b();
    float[] c = of.c();
    float[] m = of.m();
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector product = FloatVector.fromArray(FLOATS, a, i).mul(load(d, i));
      store(scaled(Fp16Vectors.load(x + 2L * i), b, c, m, i).add(product), y, i);
    }
  }

  @Override
  public void mapMasked(long d, long above, long x, long y, Numbers of, int count) {
    float[] a = of.a();
    float[] b = of.b();
    float[] c = of.c();
    float[] m = of.m();
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector product = FloatVector.fromArray(FLOATS, a, i).mul(masked(d, above, i));
      store(scaled(Fp16Vectors.load(x + 2L * i), b, c, m, i).add(product), y, i);
    }
  }

  @Override
  public void sumsGradient(long d, long x, Totals to, int count) {
    double[] center = to.center();
    double[] first = to.first();
    double[] second = to.second();
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector slopes = load(d, i);
      FloatVector values = Fp16Vectors.load(x + 2L * i);
      DoubleVector slope0 = (DoubleVector) slopes.convertShape(VectorOperators.F2D, DOUBLES, 0);
      DoubleVector away0 =
          ((DoubleVector) values.convertShape(VectorOperators.F2D, DOUBLES, 0))
              .sub(DoubleVector.fromArray(DOUBLES, center, i));
      DoubleVector.fromArray(DOUBLES, first, i).add(slope0).intoArray(first, i);
      DoubleVector.fromArray(DOUBLES, second, i).add(slope0.mul(away0)).intoArray(second, i);
      DoubleVector slope1 = (DoubleVector) slopes.convertShape(VectorOperators.F2D, DOUBLES, 1);
      DoubleVector away1 =
          ((DoubleVector) values.convertShape(VectorOperators.F2D, DOUBLES, 1))
              .sub(DoubleVector.fromArray(DOUBLES, center, i + HALF));
      DoubleVector.fromArray(DOUBLES, first, i + HALF).add(slope1).intoArray(first, i + HALF);
      DoubleVector.fromArray(DOUBLES, second, i + HALF)
          .add(slope1.mul(away1))
          .intoArray(second, i + HALF);
    }
  }

  @Override
  public void sumsMasked(long d, long above, long x, Totals to, int count) {
    double[] center = to.center();
    double[] first = to.first();
    double[] second = to.second();
    for (int i = 0; i < count; i += LENGTH) {
      FloatVector slopes = masked(d, above, i);
      FloatVector values = Fp16Vectors.load(x + 2L * i);
      DoubleVector slope0 = (DoubleVector) slopes.convertShape(VectorOperators.F2D, DOUBLES, 0);
      DoubleVector away0 =
          ((DoubleVector) values.convertShape(VectorOperators.F2D, DOUBLES, 0))
              .sub(DoubleVector.fromArray(DOUBLES, center, i));
      DoubleVector.fromArray(DOUBLES, first, i).add(slope0).intoArray(first, i);
      DoubleVector.fromArray(DOUBLES, second, i).add(slope0.mul(away0)).intoArray(second, i);
      DoubleVector slope1 = (DoubleVector) slopes.convertShape(VectorOperators.F2D, DOUBLES, 1);
      DoubleVector away1 =
          ((DoubleVector) values.convertShape(VectorOperators.F2D, DOUBLES, 1))
              .sub(DoubleVector.fromArray(DOUBLES, center, i + HALF));
      DoubleVector.fromArray(DOUBLES, first, i + HALF).add(slope1).intoArray(first, i + HALF);
      DoubleVector.fromArray(DOUBLES, second, i + HALF)
          .add(slope1.mul(away1))
          .intoArray(second, i + HALF);
    }
  }

  private static FloatVector load(long address, int i) {
    return FloatVector.fromMemorySegment(FLOATS, MEMORY, address + 4L * i, ORDER);
  }

  private static void store(FloatVector values, long address, int i) {
    values.intoMemorySegment(MEMORY, address + 4L * i, ORDER);
  }

  private static FloatVector masked(long d, long above, int i) {
    return FloatVector.zero(FLOATS).blend(load(d, i), Fp16Vectors.above(above + 2L * i));
  }

  private static FloatVector scaled(FloatVector x, float[] b, float[] c, float[] m, int i) {
    return FloatVector.fromArray(FLOATS, b, i)
        .mul(x.sub(FloatVector.fromArray(FLOATS, m, i)))
        .add(FloatVector.fromArray(FLOATS, c, i));
  }
}
