package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;

/** Every combination of level, loss scale, normalisation and half. */
final class ReferencePrecisionMatrixTest extends PrecisionMatrixContract {
  @Override
  protected Backend open() {
    return new ReferenceBackend();
  }
}
