package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;

final class ReferenceLossScaleContractTest extends LossScaleContract {
  @Override
  protected Backend open() {
    return new ReferenceBackend();
  }
}
