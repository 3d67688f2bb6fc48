package dev.halfcell.cpu.kernel;

import dev.halfcell.backend.Collective;
import dev.halfcell.cpu.onednn.OneDnn;

/**
 * What kernels are made for.
 *
 * @param onednn the library
 * @param threads how many parts a stage may have; results depend on it
 * @param computes the dtypes in which it is computed here
 * @param collective the ranks that compute together
 * @param scratch what kernels work in on the heap, one after the other
 */
public record Machine(
    OneDnn onednn,
    int threads,
    ComputedDtypes computes,
    Collective collective,
    ScratchPool scratch) {
  /** The same as one rank of several. */
  public Machine among(Collective ranks) {
    return new Machine(onednn, threads, computes, ranks, scratch);
  }
}
