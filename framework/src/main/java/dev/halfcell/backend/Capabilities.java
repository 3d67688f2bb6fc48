package dev.halfcell.backend;

import dev.halfcell.tensor.DType;
import java.util.Set;

/**
 * What a backend computes in on the machine at hand.
 *
 * @param computes the floating dtypes that its matrix kernels compute in; every other one is
 *     storage only: held in memory as it is, computed on in FP32, rounded at the edge
 * @param partials the dtypes in which it keeps running sums of products on request, as {@link
 *     dev.halfcell.op.precision.WithPartials} says; it refuses all others
 */
public record Capabilities(Set<DType> computes, Set<DType> partials) {
  public Capabilities {
    computes = Set.copyOf(computes);
    partials = Set.copyOf(partials);
  }

  /** A machine that offers no partials. */
  public Capabilities(Set<DType> computes) {
    this(computes, Set.of());
  }
}
