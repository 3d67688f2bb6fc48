package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RanksContract;

final class GpuRanksContractTest extends RanksContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
