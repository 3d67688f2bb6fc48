package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.AccumulationContract;

/** Gradients that are gathered over several batches. */
final class GpuAccumulationContractTest extends AccumulationContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
