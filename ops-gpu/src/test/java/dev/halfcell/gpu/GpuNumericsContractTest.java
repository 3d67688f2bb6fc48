package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.NumericsContract;

/** What training tells of its numbers. */
final class GpuNumericsContractTest extends NumericsContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
