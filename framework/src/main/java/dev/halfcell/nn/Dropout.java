package dev.halfcell.nn;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;

/**
 * Sets a share of its input to zero while training and scales the rest by 1 / (1 − rate); the
 * identity in evaluation. The mask follows from the run's seed, the cell's path and the sample's
 * number alone. Op: {@link dev.halfcell.op.random.Dropout}.
 */
public final class Dropout extends Cell {
  private final double rate;

  /** Drops a share of {@code rate}, at least 0 and below 1. */
  public Dropout(double rate) {
    ArgumentException.require(
        rate >= 0 && rate < 1, "Dropout rate", "at least 0 and below 1", rate);
    this.rate = rate;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = f.only(inputs);
    return f.training() && rate > 0
        ? f.ops().run(new dev.halfcell.op.random.Dropout(rate, f.randomKey()), x, f.samples())
        : x;
  }
}
