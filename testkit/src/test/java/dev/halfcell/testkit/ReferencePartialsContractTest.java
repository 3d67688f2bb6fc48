package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;

final class ReferencePartialsContractTest extends PartialsContract {
  @Override
  protected Backend open() {
    return new ReferenceBackend();
  }
}
