package dev.halfcell.gpu;

import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.tensor.Tensor;

/** The state of a step that has none. */
final class Constants implements Variables {
  @Override
  public Tensor read(Variable variable) {
    throw new IllegalStateException("there is no " + variable);
  }

  @Override
  public long seed() {
    return 0;
  }
}
