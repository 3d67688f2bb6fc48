package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;

final class ReferenceSparseTrainingTest extends SparseTrainingContract {
  @Override
  protected Backend open() {
    return new ReferenceBackend();
  }
}
