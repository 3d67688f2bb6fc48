package dev.halfcell.nn;

import dev.halfcell.tensor.Tensor;

/** y = max(x, 0). Op: {@link dev.halfcell.op.elementwise.Relu}. */
public final class ReLU extends Cell {
  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().relu(f.only(inputs));
  }
}
