package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;

final class ReferenceGoldenContractTest extends GoldenContract {
  @Override
  protected Backend open() {
    return new ReferenceBackend();
  }
}
