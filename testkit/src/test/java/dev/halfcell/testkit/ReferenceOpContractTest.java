package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;

final class ReferenceOpContractTest extends OpContract {
  @Override
  protected Backend open() {
    return new ReferenceBackend();
  }
}
