package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.Tensor;

/**
 * (x, target of the same shape) → the mean squared error. Op: {@link
 * dev.halfcell.op.loss.MeanSquaredError}.
 */
public final class MSELoss extends Cell {
  @Override
  public PrecisionClass precision() {
    return PrecisionClass.FULL;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    f.expect(2, inputs);
    return f.ops().meanSquaredError(inputs[0], inputs[1]);
  }
}
