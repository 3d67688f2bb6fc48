package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.Tensor;

/**
 * (logits [N, C], labels [N]) → the mean cross entropy. Op: {@link
 * dev.halfcell.op.loss.SoftmaxCrossEntropy}.
 */
public final class SoftmaxCrossEntropyLoss extends Cell {
  @Override
  public PrecisionClass precision() {
    return PrecisionClass.FULL;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    f.expect(2, inputs);
    return f.ops().softmaxCrossEntropy(inputs[0], inputs[1]);
  }
}
