package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.SparseTrainingContract;
import org.junit.jupiter.api.Tag;

/** Tables of which a step moves a few rows. */
@Tag("either")
final class GpuSparseTrainingContractTest extends SparseTrainingContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
