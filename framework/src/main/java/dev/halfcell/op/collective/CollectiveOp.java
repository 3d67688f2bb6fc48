package dev.halfcell.op.collective;

import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;

/** Ops whose result depends on what the other ranks put in. They stand below the tape. */
public sealed interface CollectiveOp extends Op permits AllReduce {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.KEEP;
  }
}
