package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.OwnLoopContract;

final class GpuOwnLoopContractTest extends OwnLoopContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
