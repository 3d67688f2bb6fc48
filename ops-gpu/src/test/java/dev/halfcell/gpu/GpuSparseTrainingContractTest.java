package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.SparseTrainingContract;

/** Tables of which a step moves a few rows. */
final class GpuSparseTrainingContractTest extends SparseTrainingContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
