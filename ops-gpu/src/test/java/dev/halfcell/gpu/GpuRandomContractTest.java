package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RandomContract;

final class GpuRandomContractTest extends RandomContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
