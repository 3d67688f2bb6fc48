package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.NumericsContract;

final class GpuNumericsContractTest extends NumericsContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
