package dev.halfcell.op.loss;

import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;

/** Losses over a batch and their gradients. FP32 at every level. */
public sealed interface Loss extends Op
    permits ElementLoss,
        ElementLossGradient,
        SoftmaxCrossEntropy,
        SoftmaxCrossEntropyGradient,
        CtcLoss {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.FULL;
  }
}
