package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.Tensor;

/** y = ln softmax(x) along an axis. Op: {@link dev.halfcell.op.reduction.LogSoftmax}. */
public final class LogSoftmax extends Cell {
  private final int axis;

  /** Along the last axis. */
  public LogSoftmax() {
    this(-1);
  }

  /** Along an axis, counted from 0, or from the end as −1, −2, ... */
  public LogSoftmax(int axis) {
    this.axis = axis;
  }

  @Override
  public PrecisionClass precision() {
    return PrecisionClass.DENY;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = f.only(inputs);
    return f.ops().logSoftmax(x, axis < 0 ? axis + x.shape().rank() : axis);
  }
}
