package dev.halfcell.op.linear;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.SumOfProducts;

/** Matrix products. Sums are kept in FP32 at least and rounded once. */
public sealed interface Linear extends SumOfProducts permits Dense, MatMul {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.ALLOW;
  }
}
