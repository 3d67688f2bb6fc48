package dev.halfcell.nn;

import dev.halfcell.tensor.Tensor;

/**
 * All axes but the first become one: [N, ...] to [N, M]. Op: {@link dev.halfcell.op.shape.Reshape}.
 */
public final class Flatten extends Cell {
  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().flatten(f.only(inputs));
  }
}
