package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.PartialsContract;

/** A training whose sums are kept in half. */
final class GpuPartialsContractTest extends PartialsContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
