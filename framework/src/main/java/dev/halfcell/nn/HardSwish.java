package dev.halfcell.nn;

import dev.halfcell.tensor.Tensor;

/** y = x · min(max(x + 3, 0), 6) / 6. Op: {@link dev.halfcell.op.elementwise.HardSwish}. */
public final class HardSwish extends Cell {
  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().run(new dev.halfcell.op.elementwise.HardSwish(), f.only(inputs));
  }
}
