package dev.halfcell.nn;

import dev.halfcell.tensor.Tensor;

/** y = tanh x. Op: {@link dev.halfcell.op.elementwise.Tanh}. */
public final class Tanh extends Cell {
  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().tanh(f.only(inputs));
  }
}
