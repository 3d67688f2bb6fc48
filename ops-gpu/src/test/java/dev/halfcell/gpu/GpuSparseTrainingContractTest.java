package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.SparseTrainingContract;

final class GpuSparseTrainingContractTest extends SparseTrainingContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
