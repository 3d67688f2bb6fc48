package dev.halfcell.op.random;

import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;

/** Ops whose randomness is a pure function of a key, a sample's number and a position. */
public sealed interface RandomOp extends Op permits Dropout {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.INFER;
  }
}
