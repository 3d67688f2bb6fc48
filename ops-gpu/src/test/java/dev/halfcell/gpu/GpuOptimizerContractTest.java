package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.OptimizerContract;

final class GpuOptimizerContractTest extends OptimizerContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
