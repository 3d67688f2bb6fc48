package dev.halfcell.cpu.kernel;

import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Affine;
import dev.halfcell.op.elementwise.Binary;
import dev.halfcell.op.elementwise.Compare;
import dev.halfcell.op.elementwise.Comparison;
import dev.halfcell.op.elementwise.Div;
import dev.halfcell.op.elementwise.Maximum;
import dev.halfcell.op.elementwise.Minimum;
import dev.halfcell.op.elementwise.Mul;
import dev.halfcell.op.elementwise.PRelu;
import dev.halfcell.op.elementwise.Sub;

/** The loops of the ops that are arithmetic, comparison or choice. */
final class PairLoops {
  private PairLoops() {}

  /** In double, so that a multiplier that is no float is not rounded first. */
  static Flat.Loop of(Affine op) {
    double multiplier = op.multiplier();
    double addend = op.addend();
    return (in, out, count, _) -> {
      float[] x = in[0];
      float[] y = out[0];
      for (int i = 0; i < count; i++) {
        y[i] = (float) (multiplier * x[i] + addend);
      }
    };
  }

  static Flat.Loop of(Binary op) {
    return switch (op) {
      case Add() -> PairLoops::add;
      case Sub() -> PairLoops::sub;
      case Mul() -> PairLoops::mul;
      case Div() -> PairLoops::div;
      case Minimum() -> PairLoops::min;
      case Maximum() -> PairLoops::max;
      case PRelu() -> PairLoops::prelu;
    };
  }

  private static void add(float[][] in, float[][] out, int count, int start) {
    float[] a = in[0];
    float[] b = in[1];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = a[i] + b[i];
    }
  }

  private static void sub(float[][] in, float[][] out, int count, int start) {
    float[] a = in[0];
    float[] b = in[1];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = a[i] - b[i];
    }
  }

  private static void mul(float[][] in, float[][] out, int count, int start) {
    float[] a = in[0];
    float[] b = in[1];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = a[i] * b[i];
    }
  }

  private static void div(float[][] in, float[][] out, int count, int start) {
    float[] a = in[0];
    float[] b = in[1];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = a[i] / b[i];
    }
  }

  private static void min(float[][] in, float[][] out, int count, int start) {
    float[] a = in[0];
    float[] b = in[1];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = Math.min(a[i], b[i]);
    }
  }

  private static void max(float[][] in, float[][] out, int count, int start) {
    float[] a = in[0];
    float[] b = in[1];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = Math.max(a[i], b[i]);
    }
  }

  private static void prelu(float[][] in, float[][] out, int count, int start) {
    float[] x = in[0];
    float[] slope = in[1];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = x[i] > 0 ? x[i] : slope[i] * x[i];
    }
  }

  static Flat.Loop of(Compare op) {
    Comparison comparison = op.comparison();
    return (in, out, count, _) -> {
      float[] a = in[0];
      float[] b = in[1];
      float[] y = out[0];
      for (int i = 0; i < count; i++) {
        y[i] = comparison.holds(a[i], b[i]) ? 1 : 0;
      }
    };
  }

  static void where(float[][] in, float[][] out, int count, int start) {
    float[] a = in[0];
    float[] b = in[1];
    float[] condition = in[2];
    float[] y = out[0];
    for (int i = 0; i < count; i++) {
      y[i] = condition[i] != 0 ? a[i] : b[i];
    }
  }

  static void taken(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] condition = in[1];
    float[] dx = out[0];
    for (int i = 0; i < count; i++) {
      dx[i] = condition[i] != 0 ? d[i] : 0;
    }
  }

  static void notTaken(float[][] in, float[][] out, int count, int start) {
    float[] d = in[0];
    float[] condition = in[1];
    float[] dx = out[0];
    for (int i = 0; i < count; i++) {
      dx[i] = condition[i] != 0 ? 0 : d[i];
    }
  }
}
