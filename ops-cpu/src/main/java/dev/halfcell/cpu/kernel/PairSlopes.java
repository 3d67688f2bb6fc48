package dev.halfcell.cpu.kernel;

import dev.halfcell.op.elementwise.Div;
import dev.halfcell.op.elementwise.Maximum;
import dev.halfcell.op.elementwise.Minimum;
import dev.halfcell.op.elementwise.PRelu;
import dev.halfcell.op.elementwise.SlopedGradient;

/** The loops of (d, a, b) → d times the slope by a or by b. */
final class PairSlopes {
  private PairSlopes() {}

  static Flat.Loop of(SlopedGradient op) {
    boolean first = op.input() == 0;
    return switch (op.of()) {
      case Div() -> first ? PairSlopes::ofDividend : PairSlopes::ofDivisor;
      case Maximum() -> first ? PairSlopes::ofLarger : PairSlopes::ofSecondLarger;
      case Minimum() -> first ? PairSlopes::ofSmaller : PairSlopes::ofSecondSmaller;
      case PRelu() -> first ? PairSlopes::ofPassed : PairSlopes::ofSlope;
    };
  }

  private static void ofDividend(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] b = in[2];
    float[] da = out[0];
    for (int i = 0; i < count; i++) {
      da[i] = (float) (d[i] * (1d / b[i]));
    }
  }

  private static void ofDivisor(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] a = in[1];
    float[] b = in[2];
    float[] db = out[0];
    for (int i = 0; i < count; i++) {
      db[i] = (float) (d[i] * (-(a[i] / (double) b[i]) / b[i]));
    }
  }

  private static void ofLarger(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] a = in[1];
    float[] b = in[2];
    float[] da = out[0];
    for (int i = 0; i < count; i++) {
      da[i] = d[i] * (a[i] >= b[i] || Float.isNaN(a[i]) ? 1 : 0);
    }
  }

  private static void ofSecondLarger(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] a = in[1];
    float[] b = in[2];
    float[] db = out[0];
    for (int i = 0; i < count; i++) {
      db[i] = d[i] * (a[i] >= b[i] || Float.isNaN(a[i]) ? 0 : 1);
    }
  }

  private static void ofSmaller(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] a = in[1];
    float[] b = in[2];
    float[] da = out[0];
    for (int i = 0; i < count; i++) {
      da[i] = d[i] * (a[i] <= b[i] || Float.isNaN(a[i]) ? 1 : 0);
    }
  }

  private static void ofSecondSmaller(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] a = in[1];
    float[] b = in[2];
    float[] db = out[0];
    for (int i = 0; i < count; i++) {
      db[i] = d[i] * (a[i] <= b[i] || Float.isNaN(a[i]) ? 0 : 1);
    }
  }

  private static void ofPassed(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] x = in[1];
    float[] slope = in[2];
    float[] dx = out[0];
    for (int i = 0; i < count; i++) {
      dx[i] = d[i] * (x[i] > 0 ? 1 : slope[i]);
    }
  }

  private static void ofSlope(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] x = in[1];
    float[] dslope = out[0];
    for (int i = 0; i < count; i++) {
      dslope[i] = d[i] * (x[i] > 0 ? 0 : x[i]);
    }
  }
}
