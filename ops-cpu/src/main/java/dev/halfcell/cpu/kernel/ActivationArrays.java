package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.ExponentialArrays.power;
import static dev.halfcell.cpu.kernel.ExponentialArrays.rest;
import static dev.halfcell.cpu.kernel.ExponentialArrays.series;
import static dev.halfcell.cpu.kernel.Exponentials.FLOAT_PER_LN_2;
import static dev.halfcell.cpu.kernel.Exponentials.FLOAT_ROUNDING;
import static dev.halfcell.cpu.kernel.Exponentials.ROUNDING_BITS;

/** In loops over arrays. */
final class ActivationArrays implements Activations {
  @Override
  public void sigmoid(float[] x, int from, int to) {
    for (int i = from; i < to; i++) {
      float y = Math.max(-Math.abs(x[i]), LEAST_OF_SIGMOID);
      float shifted = y * FLOAT_PER_LN_2 + FLOAT_ROUNDING;
      float r = rest(shifted - FLOAT_ROUNDING, y);
      float p = Math.fma(r * r, series(r), r);
      int n = Float.floatToRawIntBits(shifted) - ROUNDING_BITS;
      int half = n >> 1;
      float first = power(half);
      float second = power(n - half);
      float s = 1 + p;
      float t = s * first * second;
      float tLost = (1 - s + p) * first * second;
      float d = 1 + t;
      float dLost = 1 - d + t + tLost;
      boolean below = x[i] < 0;
      float top = below ? t : 1;
      float per = 1 / d;
      float less = -(top * per);
      float left = Math.fma(less, dLost, Math.fma(less, d, top) + (below ? tLost : 0));
      x[i] = Math.fma(left, per, -less);
    }
  }

  @Override
  public void tanh(float[] x, int from, int to) {
    for (int i = from; i < to; i++) {
      float y = Math.max(-2 * Math.abs(x[i]), LEAST_OF_TANH);
      float shifted = y * FLOAT_PER_LN_2 + FLOAT_ROUNDING;
      float r = rest(shifted - FLOAT_ROUNDING, y);
      float square = r * r * series(r);
      float p = r + square;
      float pLost = r - p + square;
      float ofN = power(Float.floatToRawIntBits(shifted) - ROUNDING_BITS);
      float none = ofN - 1;
      float more = p * ofN;
      float m = none + more;
      float mLost = Math.fma(pLost, ofN, more - (m - none));
      float d = m + 2;
      float dLost = m - (d - 2) + mLost;
      float per = 1 / d;
      float less = m * per;
      float left = Math.fma(less, dLost, Math.fma(less, d, -m) - mLost);
      x[i] = Math.copySign(Math.fma(left, per, -less), x[i]);
    }
  }
}
