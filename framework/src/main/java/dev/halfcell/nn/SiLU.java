package dev.halfcell.nn;

import dev.halfcell.op.elementwise.Silu;
import dev.halfcell.tensor.Tensor;

/** y = x / (1 + e⁻ˣ), also called Swish. Op: {@link Silu}. */
public final class SiLU extends Cell {
  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().run(new Silu(), f.only(inputs));
  }
}
