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
      float first = ExponentialArrays.power(half);
      float second = ExponentialArrays.power(n - half);
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
      float power = ExponentialArrays.power(Float.floatToRawIntBits(shifted) - ROUNDING_BITS);
      float none = power - 1;
      float more = p * power;
      float m = none + more;
      float mLost = Math.fma(pLost, power, more - (m - none));
      float d = m + 2;
      float dLost = m - (d - 2) + mLost;
      float per = 1 / d;
      float less = m * per;
      float left = Math.fma(less, dLost, Math.fma(less, d, -m) - mLost);
      x[i] = Math.copySign(Math.fma(left, per, -less), x[i]);
    }
  }

  private static float rest(float whole, float y) {
    return Math.fma(whole, -LN_2_LOW, Math.fma(whole, -LN_2_HIGH, y));
  }

  private static float series(float r) {
    float high = Math.fma(r, Math.fma(r, (float) C7, (float) C6), (float) C5);
    return Math.fma(r, Math.fma(r, Math.fma(r, high, (float) C4), (float) C3), (float) C2);
  }
}
