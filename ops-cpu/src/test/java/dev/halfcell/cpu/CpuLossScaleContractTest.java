package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.LossScaleContract;

/** Loss scales on the processor. */
final class CpuLossScaleContractTest extends LossScaleContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(1);
  }
}
