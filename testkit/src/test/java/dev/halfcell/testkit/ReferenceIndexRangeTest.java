package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;

final class ReferenceIndexRangeTest extends IndexRangeContract {
  @Override
  protected Backend open() {
    return new ReferenceBackend();
  }
}
