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
 * The loops of functions of one number: in double and rounded once, as the JIT vectorises both
 * ways. A loop may have memory of its own, so each part needs one.
 */
final class CurveLoops {
  private CurveLoops() {}

  static Flat.Loop of(Curve op) {
    return switch (op) {
      case Abs() -> CurveLoops::abs;
      case Clip clip -> (in, out, count, _) -> clip(clip, in[0], out[0], count);
      case HardSwish() -> CurveLoops::hardSwish;
      case LeakyRelu(double slope) -> (in, out, count, _) -> leaky(slope, in[0], out[0], count);
      case Sqrt() -> CurveLoops::sqrt;
      case Rsqrt() -> CurveLoops::rsqrt;
      case Exp() -> SigmoidLoops.exp();
      case Sigmoid() -> SigmoidLoops.sigmoid();
      case Silu() -> SigmoidLoops.silu();
      case Tanh() -> SigmoidLoops.tanh();
      case Gelu(boolean byTanh) -> byTanh ? SigmoidLoops.gelu() : GaussianLoops.gelu();
      case Log() -> PowerLoops.log();
      case Pow(double exponent) -> PowerLoops.of(exponent);
    };
  }

  private static void abs(float[][] in, float[][] out, int count, int start) {
    float[] x = in[0];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = Math.abs(x[i]);
    }
  }

  private static void clip(Clip op, float[] x, float[] y, int count) {
    double least = op.least();
    double most = op.most();
    for (int i = 0; i < count; i++) {
      y[i] = (float) Math.min(Math.max(x[i], least), most);
    }
  }

  private static void hardSwish(float[][] in, float[][] out, int count, int start) {
    float[] x = in[0];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = (float) (x[i] * Math.min(Math.max(x[i] + 3d, 0), 6) / 6);
    }
  }

  private static void leaky(double slope, float[] x, float[] y, int count) {
    for (int i = 0; i < count; i++) {
      y[i] = (float) (Math.max(x[i], 0d) + slope * Math.min(x[i], 0d));
    }
  }

  private static void sqrt(float[][] in, float[][] out, int count, int start) {
    float[] x = in[0];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = (float) Math.sqrt(x[i]);
    }
  }

  private static void rsqrt(float[][] in, float[][] out, int count, int start) {
    float[] x = in[0];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = (float) (1 / Math.sqrt(x[i]));
    }
  }
}
