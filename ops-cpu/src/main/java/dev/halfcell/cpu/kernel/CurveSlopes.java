package dev.halfcell.cpu.kernel;

import dev.halfcell.op.elementwise.Abs;
import dev.halfcell.op.elementwise.Clip;
import dev.halfcell.op.elementwise.Curve;
import dev.halfcell.op.elementwise.Exp;
import dev.halfcell.op.elementwise.Gelu;
import dev.halfcell.op.elementwise.HardSwish;
import dev.halfcell.op.elementwise.LeakyRelu;
import dev.halfcell.op.elementwise.Log;
import dev.halfcell.op.elementwise.Pow;
import dev.halfcell.op.elementwise.Rsqrt;
import dev.halfcell.op.elementwise.Sigmoid;
import dev.halfcell.op.elementwise.Silu;
import dev.halfcell.op.elementwise.Sqrt;
import dev.halfcell.op.elementwise.Tanh;

/**
 * The loops of the gradients of functions of one number, as {@link CurveLoops}: d times the
 * derivative by what was kept.
 */
final class CurveSlopes {
  /** Times itself and the least double it is far above 1. */
  private static final double LARGE = 0x1p1000;

  private CurveSlopes() {}

  static Flat.Loop of(Curve op) {
    return switch (op) {
      case Abs() -> CurveSlopes::abs;
      case Clip clip -> (in, out, count, _) -> clip(clip, in[0], in[1], out[0], count);
      case HardSwish() -> CurveSlopes::hardSwish;
      case LeakyRelu(double slope) ->
          (in, out, count, _) -> leaky(slope, in[0], in[1], out[0], count);
      case Sqrt() -> CurveSlopes::sqrt;
      case Rsqrt() -> CurveSlopes::rsqrt;
      case Exp() -> CurveSlopes::exp;
      case Sigmoid() -> CurveSlopes::sigmoid;
      case Tanh() -> CurveSlopes::tanh;
      case Silu() -> SigmoidLoops.siluSlope();
      case Gelu(boolean byTanh) -> byTanh ? SigmoidLoops.geluSlope() : GaussianLoops.geluSlope();
      case Log() -> CurveSlopes::log;
      case Pow(double exponent) -> PowerLoops.slope(exponent);
    };
  }

  /** 1 where x &gt; 0, else 0, of a NaN too: without a branch, by converting to an int. */
  private static double positive(double x) {
    return Math.max(0, Math.min(1, (int) (x * LARGE * LARGE)));
  }

  private static void abs(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] x = in[1];
    float[] dx = out[0];
    for (int i = 0; i < count; i++) {
      dx[i] = d[i] * Math.signum(x[i]);
    }
  }

  private static void clip(Clip op, float[] d, float[] x, float[] dx, int count) {
    double least = op.least();
    double most = op.most();
    for (int i = 0; i < count; i++) {
      dx[i] = (float) (d[i] * (positive(x[i] - least) * positive(most - x[i])));
    }
  }

  /** A NaN is neither below 3 nor above -3, and stays one by the line between. */
  private static void hardSwish(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] x = in[1];
    float[] dx = out[0];
    for (int i = 0; i < count; i++) {
      double near = Math.min(Math.max(x[i], -3d), 3d);
      double below = positive(3d - x[i]);
      double inside = below * positive(x[i] + 3d);
      dx[i] = (float) (d[i] * (inside * ((2 * near + 3) / 6) + (1 - below)));
    }
  }

  private static void leaky(double slope, float[] d, float[] y, float[] dx, int count) {
    for (int i = 0; i < count; i++) {
      dx[i] = (float) (d[i] * (slope + (1 - slope) * positive(y[i])));
    }
  }

  private static void sqrt(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] y = in[1];
    float[] dx = out[0];
    for (int i = 0; i < count; i++) {
      dx[i] = (float) (d[i] * (0.5 / y[i]));
    }
  }

  private static void rsqrt(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] y = in[1];
    float[] dx = out[0];
    for (int i = 0; i < count; i++) {
      dx[i] = (float) (d[i] * (-0.5 * y[i] * y[i] * y[i]));
    }
  }

  private static void exp(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] y = in[1];
    float[] dx = out[0];
    for (int i = 0; i < count; i++) {
      dx[i] = d[i] * y[i];
    }
  }

  private static void sigmoid(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] y = in[1];
    float[] dx = out[0];
    for (int i = 0; i < count; i++) {
      dx[i] = (float) (d[i] * (y[i] * (1d - y[i])));
    }
  }

  private static void tanh(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] y = in[1];
    float[] dx = out[0];
    for (int i = 0; i < count; i++) {
      dx[i] = (float) (d[i] * ((1d - y[i]) * (1d + y[i])));
    }
  }

  private static void log(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] x = in[1];
    float[] dx = out[0];
    for (int i = 0; i < count; i++) {
      dx[i] = (float) (d[i] * (1d / x[i]));
    }
  }
}
