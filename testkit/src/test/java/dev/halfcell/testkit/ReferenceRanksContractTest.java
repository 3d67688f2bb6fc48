package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;

final class ReferenceRanksContractTest extends RanksContract {
  @Override
  protected Backend open() {
    return new ReferenceBackend();
  }
}
