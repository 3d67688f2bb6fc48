package dev.halfcell.op.elementwise;

import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;

/**
 * Ops that work on one position at a time, in FP32 at least, with one rounding to the dtype of
 * their output.
 */
public sealed interface Elementwise extends Op
    permits Affine,
        Binary,
        Compare,
        Curve,
        CurveGradient,
        Relu,
        ReluGradient,
        SlopedGradient,
        Where,
        WhereGradient,
        ZerosLike {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.INFER;
  }
}
