package dev.halfcell.nn;

import dev.halfcell.tensor.Tensor;

/** y = 1 / (1 + e⁻ˣ). Op: {@link dev.halfcell.op.elementwise.Sigmoid}. */
public final class Sigmoid extends Cell {
  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().sigmoid(f.only(inputs));
  }
}
