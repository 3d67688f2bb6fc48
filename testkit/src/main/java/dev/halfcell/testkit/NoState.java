package dev.halfcell.testkit;

import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;

/** The state of a graph that reads none. */
public record NoState() implements Variables {
  @Override
  public Tensor read(Variable variable) {
    throw new UsageException(
        new Problem("test", variable.toString(), "no state", "a read of it", ""));
  }

  @Override
  public long seed() {
    return 0;
  }
}
