package dev.halfcell.op.linear;

import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;

/** Matrix products. Sums are kept in FP32 at least and rounded once. */
public sealed interface Linear extends Op permits Dense, MatMul {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.ALLOW;
  }
}
