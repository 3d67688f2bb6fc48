package dev.halfcell.op.reduction;

import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;

/** Reductions over axes. Sums are kept in FP32 at least and rounded once. */
public sealed interface Reduction extends Op permits Sum {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.DENY;
  }
}
