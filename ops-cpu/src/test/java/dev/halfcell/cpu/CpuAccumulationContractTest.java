package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.AccumulationContract;

/** Steps of several micro-batches. */
final class CpuAccumulationContractTest extends AccumulationContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
