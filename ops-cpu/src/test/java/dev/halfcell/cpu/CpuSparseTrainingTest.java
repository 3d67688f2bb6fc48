package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.SparseTrainingContract;

/** Training a table of which few rows are looked up. */
final class CpuSparseTrainingTest extends SparseTrainingContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
