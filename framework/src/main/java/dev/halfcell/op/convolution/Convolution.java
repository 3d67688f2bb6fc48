package dev.halfcell.op.convolution;

import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;

/** Convolutions (cross-correlations, as everywhere in deep learning) and their gradients. */
public sealed interface Convolution extends Op
    permits Conv2d, Conv2dInputGradient, Conv2dWeightGradient {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.ALLOW;
  }
}
