package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.Exponentials.C2;
import static dev.halfcell.cpu.kernel.Exponentials.C3;
import static dev.halfcell.cpu.kernel.Exponentials.C4;
import static dev.halfcell.cpu.kernel.Exponentials.C5;
import static dev.halfcell.cpu.kernel.Exponentials.C6;
import static dev.halfcell.cpu.kernel.Exponentials.C7;
import static dev.halfcell.cpu.kernel.Exponentials.FLOAT_PER_LN_2;
import static dev.halfcell.cpu.kernel.Exponentials.FLOAT_ROUNDING;
import static dev.halfcell.cpu.kernel.Exponentials.LN_2_HIGH;
import static dev.halfcell.cpu.kernel.Exponentials.LN_2_LOW;
import static dev.halfcell.cpu.kernel.Exponentials.ROUNDING_BITS;
import static dev.halfcell.cpu.kernel.FloatVectors.FLOATS;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * In vectors; a comparison leaves a NaN as it is, as a maximum does. Only where {@link
 * VectorModule#usable} holds.
 *
 * <p>Both loops are so long that the JIT compiles each for itself. Shorter ones were inlined into
 * what calls them, which then had more nodes than it takes, so that vectors there became objects.
 */
final class ActivationVectors implements Activations {
  private static final int LENGTH = FLOATS.length();

  /** The numbers behind the last whole vector. */
  private final float[] rest = new float[LENGTH];

  @Override
  public void tanh(float[] x, int from, int to) {
    int whole = from + FLOATS.loopBound(to - from);
    wholeTanh(x, from, whole);
    if (whole < to) {
      System.arraycopy(x, whole, rest, 0, to - whole);
      wholeTanh(rest, 0, LENGTH);
      System.arraycopy(rest, 0, x, whole, to - whole);
    }
  }

  @Override
  public void sigmoid(float[] x, int from, int to) {
    int whole = from + FLOATS.loopBound(to - from);
    wholeSigmoid(x, from, whole);
    if (whole < to) {
      System.arraycopy(x, whole, rest, 0, to - whole);
      wholeSigmoid(rest, 0, LENGTH);
      System.arraycopy(rest, 0, x, whole, to - whole);
    }
  }

  private static void wholeSigmoid(float[] x, int from, int to) {
    for (int i = from; i < to; i += LENGTH) {
      FloatVector given = FloatVector.fromArray(FLOATS, x, i);
      FloatVector y = given.abs().neg();
      y = y.blend(LEAST_OF_SIGMOID, y.compare(VectorOperators.LT, LEAST_OF_SIGMOID));
      FloatVector shifted = y.mul(FLOAT_PER_LN_2).add(FLOAT_ROUNDING);
      FloatVector whole = shifted.sub(FLOAT_ROUNDING);
      FloatVector r = whole.fma(FloatVector.broadcast(FLOATS, -LN_2_HIGH), y);
      r = whole.fma(FloatVector.broadcast(FLOATS, -LN_2_LOW), r);
      FloatVector series = FloatVector.broadcast(FLOATS, (float) C7);
      series = r.fma(series, FloatVector.broadcast(FLOATS, (float) C6));
      series = r.fma(series, FloatVector.broadcast(FLOATS, (float) C5));
      series = r.fma(series, FloatVector.broadcast(FLOATS, (float) C4));
      series = r.fma(series, FloatVector.broadcast(FLOATS, (float) C3));
      series = r.fma(series, FloatVector.broadcast(FLOATS, (float) C2));
      FloatVector p = r.mul(r).fma(series, r);
      IntVector n = shifted.reinterpretAsInts().sub(ROUNDING_BITS);
      IntVector half = n.lanewise(VectorOperators.ASHR, 1);
      FloatVector second =
          n.sub(half).add(127).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
      FloatVector first = half.add(127).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
      FloatVector one = FloatVector.broadcast(FLOATS, 1);
      FloatVector s = one.add(p);
      FloatVector t = s.mul(first).mul(second);
      FloatVector tLost = one.sub(s).add(p).mul(first).mul(second);
      FloatVector d = one.add(t);
      FloatVector dLost = one.sub(d).add(t).add(tLost);
      VectorMask<Float> below = given.compare(VectorOperators.LT, 0);
      FloatVector top = one.blend(t, below);
      FloatVector topLost = FloatVector.zero(FLOATS).blend(tLost, below);
      FloatVector per = one.div(d);
      FloatVector less = top.mul(per).neg();
      FloatVector left = less.fma(dLost, less.fma(d, top).add(topLost));
      left.fma(per, less.neg()).intoArray(x, i);
    }
  }

  private static void wholeTanh(float[] x, int from, int to) {
    for (int i = from; i < to; i += LENGTH) {
      FloatVector given = FloatVector.fromArray(FLOATS, x, i);
      FloatVector y = given.abs().mul(-2);
      y = y.blend(LEAST_OF_TANH, y.compare(VectorOperators.LT, LEAST_OF_TANH));
      FloatVector shifted = y.mul(FLOAT_PER_LN_2).add(FLOAT_ROUNDING);
      FloatVector whole = shifted.sub(FLOAT_ROUNDING);
      FloatVector r = whole.fma(FloatVector.broadcast(FLOATS, -LN_2_HIGH), y);
      r = whole.fma(FloatVector.broadcast(FLOATS, -LN_2_LOW), r);
      FloatVector series = FloatVector.broadcast(FLOATS, (float) C7);
      series = r.fma(series, FloatVector.broadcast(FLOATS, (float) C6));
      series = r.fma(series, FloatVector.broadcast(FLOATS, (float) C5));
      series = r.fma(series, FloatVector.broadcast(FLOATS, (float) C4));
      series = r.fma(series, FloatVector.broadcast(FLOATS, (float) C3));
      series = r.fma(series, FloatVector.broadcast(FLOATS, (float) C2));
      series = r.mul(r).mul(series);
      FloatVector p = r.add(series);
      FloatVector pLost = r.sub(p).add(series);
      IntVector n = shifted.reinterpretAsInts().sub(ROUNDING_BITS);
      FloatVector power = n.add(127).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
      FloatVector none = power.sub(1);
      FloatVector more = p.mul(power);
      FloatVector m = none.add(more);
      FloatVector mLost = pLost.fma(power, more.sub(m.sub(none)));
      FloatVector d = m.add(2);
      FloatVector dLost = m.sub(d.sub(2)).add(mLost);
      FloatVector per = FloatVector.broadcast(FLOATS, 1).div(d);
      FloatVector less = m.mul(per);
      FloatVector left = less.fma(dLost, less.fma(d, m.neg()).sub(mLost));
      IntVector size = left.fma(per, less.neg()).reinterpretAsInts();
      IntVector sign = given.reinterpretAsInts().and(Integer.MIN_VALUE);
      size.and(Integer.MAX_VALUE).or(sign).reinterpretAsFloats().intoArray(x, i);
    }
  }
}
