package dev.halfcell.nn;

import dev.halfcell.op.elementwise.Gelu;
import dev.halfcell.tensor.Tensor;

/** y = x · Φ(x), Φ being the normal distribution function. Op: {@link Gelu}. */
public final class GELU extends Cell {
  private final Gelu op;

  /** The exact function. */
  public GELU() {
    this(false);
  }

  /** The exact function, or its approximation by tanh. */
  public GELU(boolean approximate) {
    this.op = new Gelu(approximate);
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().run(op, f.only(inputs));
  }
}
