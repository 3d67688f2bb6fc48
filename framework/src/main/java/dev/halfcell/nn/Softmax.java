package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.Tensor;

/** y = e^x / Σ e^x along an axis. Op: {@link dev.halfcell.op.reduction.Softmax}. */
public final class Softmax extends Cell {
  private final int axis;

  /** Along the last axis. */
  public Softmax() {
    this(-1);
  }

  /** Along an axis, counted from 0, or from the end as −1, −2, ... */
  public Softmax(int axis) {
    this.axis = axis;
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.DENY;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = f.only(inputs);
    return f.ops().softmax(x, axis < 0 ? axis + x.shape().rank() : axis);
  }
}
