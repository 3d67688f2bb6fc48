package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.FloatVectors.FLOATS;
import static dev.halfcell.cpu.kernel.FloatVectors.at;
import static dev.halfcell.cpu.kernel.Fp16Vectors.behindOne;
import static dev.halfcell.cpu.kernel.Fp16Vectors.bits;
import static dev.halfcell.cpu.kernel.Fp16Vectors.large;
import static dev.halfcell.cpu.kernel.Fp16Vectors.magnitude;
import static dev.halfcell.cpu.kernel.Fp16Vectors.rounded;
import static dev.halfcell.cpu.kernel.Fp16Vectors.roundedSmall;
import static dev.halfcell.cpu.kernel.Fp16Vectors.sign;
import static dev.halfcell.cpu.kernel.Fp16Vectors.signed;
import static dev.halfcell.cpu.kernel.Fp16Vectors.small;
import static dev.halfcell.cpu.kernel.Fp16Vectors.tooLarge;
import static dev.halfcell.cpu.kernel.Fp16Vectors.tooSmall;
import static dev.halfcell.cpu.kernel.Fp16Vectors.unbounded;

import dev.halfcell.cpu.kernel.ChannelVectors.Numbers;
import dev.halfcell.cpu.kernel.ChannelVectors.Totals;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@link ChannelVectors} over FP16. Reading takes so many operations, and rounding as many, that
 * the JIT left vectors objects in some processes where one loop did both: they have loops of their
 * own, with floats in between.
 */
final class Fp16Channels implements ChannelVectors {
  private static final VectorSpecies<Double> DOUBLES =
      VectorSpecies.of(double.class, FLOATS.vectorShape());
  private static final int LENGTH = FLOATS.length();
  private static final int HALF = DOUBLES.length();
  private static final int ALL_BUT_SIGN = 0x7fffffff;

  private final float[] room;

  /**
   * Made for one thread.
   *
   * @param room for as many floats as are mapped at once
   */
  Fp16Channels(float[] room) {
    this.room = room;
  }

  @Override
  public void map(long x, long y, Numbers of, float least, int count) {
    scale(x, room, of, count);
    put(room, y, least, count);
  }

  @Override
  public void mapAdded(long x, long z, long y, Numbers of, float least, int count) {
    scale(x, room, of, count);
    add(z, room, count);
    put(room, y, least, count);
  }

  /** to = b · (x − m) + c. */
  private static void scale(long x, float[] to, Numbers of, int count) {
    float[] b = of.b();
    float[] c = of.c();
    float[] m = of.m();
    for (int i = 0; i < count; i += LENGTH) {
      IntVector bits = bits(x + 2L * i);
      IntVector size = magnitude(bits);
      FloatVector values = signed(large(size).blend(behindOne(size), small(size)), bits);
      FloatVectors.scaled(values, at(b, i), at(c, i), at(m, i)).intoArray(to, i);
    }
  }

  private static void add(long z, float[] to, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      IntVector bits = bits(z + 2L * i);
      IntVector size = magnitude(bits);
      FloatVector values = signed(large(size).blend(behindOne(size), small(size)), bits);
      at(to, i).add(values).intoArray(to, i);
    }
  }

  /** y = max(x, least). */
  private static void put(float[] x, long y, float least, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      IntVector bits = at(x, i).max(least).reinterpretAsInts();
      IntVector wide = bits.and(ALL_BUT_SIGN);
      IntVector half = rounded(wide).blend(roundedSmall(wide), tooSmall(wide));
      Fp16Vectors.put(half.blend(unbounded(wide), tooLarge(wide)).or(sign(bits)), y + 2L * i);
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
        IntVector bits = bits(x + 2L * i);
        IntVector size = magnitude(bits);
        FloatVector values = signed(large(size).blend(behindOne(size), small(size)), bits);
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
}
