package dev.halfcell.op.convolution;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.SumOfProducts;

/** Convolutions (cross-correlations, as everywhere in deep learning) and their gradients. */
public sealed interface Convolution extends SumOfProducts
    permits Conv2d, Conv2dTranspose, Conv2dInputGradient, Conv2dWeightGradient {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.ALLOW;
  }

  /** How the convolution walks over its input. */
  Conv2dGeometry geometry();

  /**
   * Whether some window lies partly in the padding, whose zeros a kernel may multiply with although
   * they meet nothing by definition: infinity times such a zero is not a number.
   */
  default boolean meetsPadding() {
    return !geometry().padding().equals(Padding2d.NONE);
  }
}
