package dev.halfcell.backend;

import dev.halfcell.tensor.Tensor;

/**
 * What the description of a step may read of a run's state: values while eager, promises of values
 * while tracing. A plan binds to the memory of the tensors that {@link #read} gives, which stay the
 * same objects for as long as the state lives.
 */
public interface Variables {
  /** The present value. Throws where there is none of this name. */
  Tensor read(Variable variable);

  /** The seed of all random numbers of the run. */
  long seed();
}
