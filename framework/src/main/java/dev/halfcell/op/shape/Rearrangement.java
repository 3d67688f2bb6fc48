package dev.halfcell.op.shape;

import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;

/**
 * Ops that move, repeat or rename elements and compute nothing: of any dtype, but for {@link
 * Repeat}, which gradients alone use.
 */
public sealed interface Rearrangement extends Op
    permits Concat, Pad, Repeat, Reshape, ReverseSequence, Slice, Transpose {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.INFER;
  }
}
