package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.LossScaleContract;

final class GpuLossScaleContractTest extends LossScaleContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
