package dev.halfcell.nn;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.reduction.AlongAxis;
import dev.halfcell.tensor.Tensor;
import java.util.function.IntFunction;

/** An op on each line along an axis, which may be counted from the end. */
abstract sealed class AlongAxisCell extends Cell permits Softmax, LogSoftmax {
  private final int axis;
  private final IntFunction<AlongAxis> op;

  /** {@code op} makes the op of an axis that is counted from 0. */
  AlongAxisCell(int axis, IntFunction<AlongAxis> op) {
    this.axis = axis;
    this.op = op;
  }

  @Override
  public final PrecisionClass precision() {
    return PrecisionClass.DENY;
  }

  @Override
  protected final Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = f.only(inputs);
    return f.ops().run(op.apply(axis < 0 ? axis + x.shape().rank() : axis), x);
  }
}
