package dev.halfcell.nn;

import dev.halfcell.op.elementwise.LeakyRelu;
import dev.halfcell.tensor.Tensor;

/** y = x where x &gt; 0, else slope · x. Op: {@link LeakyRelu}. */
public final class LeakyReLU extends Cell {
  private final LeakyRelu op;

  /** A slope of 0.01. */
  public LeakyReLU() {
    this(0.01);
  }

  /** A slope of at least 0. */
  public LeakyReLU(double slope) {
    this.op = new LeakyRelu(slope);
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return f.ops().run(op, f.only(inputs));
  }
}
