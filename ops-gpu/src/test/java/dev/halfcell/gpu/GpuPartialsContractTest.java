package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.PartialsContract;

/** Sums that are kept in half, which are refused. */
final class GpuPartialsContractTest extends PartialsContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
