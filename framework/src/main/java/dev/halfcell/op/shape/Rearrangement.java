package dev.halfcell.op.shape;

import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;

/** Ops that move, repeat or rename elements and compute nothing. */
public sealed interface Rearrangement extends Op permits Repeat, Reshape {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.INFER;
  }
}
