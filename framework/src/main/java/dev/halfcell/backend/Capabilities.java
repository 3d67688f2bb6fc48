package dev.halfcell.backend;

import dev.halfcell.tensor.DType;
import java.util.Set;

/**
 * What a backend computes in on the machine at hand.
 *
 * @param computes the floating dtypes that its matrix kernels compute in; every other one is
 *     storage only: held in memory as it is, computed on in FP32, rounded at the edge
 */
public record Capabilities(Set<DType> computes) {
  public Capabilities {
    computes = Set.copyOf(computes);
  }
}
