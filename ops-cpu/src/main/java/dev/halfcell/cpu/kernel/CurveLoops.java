package dev.halfcell.cpu.kernel;

import dev.halfcell.op.elementwise.Curve;

/** The loops of functions of one number and of their gradients. */
final class CurveLoops {
  private CurveLoops() {}

  static Flat.Loop of(Curve op) {
    return (in, out, count, _) -> {
      for (int i = 0; i < count; i++) {
        out[0][i] = (float) op.value(in[0][i]);
      }
    };
  }

  static Flat.Loop gradient(Curve op) {
    return (in, out, count, _) -> {
      for (int i = 0; i < count; i++) {
        out[0][i] = (float) (in[0][i] * op.derivative(in[1][i]));
      }
    };
  }
}
