package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.AccumulationContract;

final class GpuAccumulationContractTest extends AccumulationContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
