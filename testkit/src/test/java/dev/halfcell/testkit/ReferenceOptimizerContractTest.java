package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;

final class ReferenceOptimizerContractTest extends OptimizerContract {
  @Override
  protected Backend open() {
    return new ReferenceBackend();
  }
}
