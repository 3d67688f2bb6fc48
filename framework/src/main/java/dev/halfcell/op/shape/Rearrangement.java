package dev.halfcell.op.shape;

import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;

/** Ops that move, repeat or rename elements of any dtype and compute nothing. */
public sealed interface Rearrangement extends Op
    permits Concat, Pad, Repeat, Reshape, ReverseSequence, Slice, Transpose {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.INFER;
  }
}
