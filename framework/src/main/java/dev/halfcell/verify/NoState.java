package dev.halfcell.verify;

import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;

/** The state of a computation that has none. */
record NoState() implements Variables {
  @Override
  public Tensor read(Variable variable) {
    throw new UsageException(
        new Problem("golden vectors", variable.toString(), "a single op", "a read of state", ""));
  }

  @Override
  public long seed() {
    return 0;
  }
}
