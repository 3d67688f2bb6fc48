package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.loss.ElementLoss;
import dev.halfcell.tensor.Tensor;

/**
 * (x, target of the same shape) → an {@link ElementLoss}: a scalar in FP32, or one for each element
 * with {@link dev.halfcell.op.loss.LossReduction#NONE}.
 */
public abstract sealed class ElementwiseLoss extends Cell
    permits MSELoss, L1Loss, SmoothL1Loss, BCEWithLogitsLoss {
  private final ElementLoss op;

  ElementwiseLoss(ElementLoss op) {
    this.op = op;
  }

  @Override
  public final PrecisionClass precision() {
    return PrecisionClass.FULL;
  }

  @Override
  protected final Tensor construct(Forward f, Tensor... inputs) {
    f.expect(2, inputs);
    return f.ops().run(op, inputs);
  }
}
