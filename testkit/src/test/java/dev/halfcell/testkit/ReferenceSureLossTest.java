package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;

final class ReferenceSureLossTest extends SureLossContract {
  @Override
  protected Backend open() {
    return new ReferenceBackend();
  }
}
