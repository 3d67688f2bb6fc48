package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;

final class ReferenceRecurrentContractTest extends RecurrentContract {
  @Override
  protected Backend open() {
    return new ReferenceBackend();
  }
}
