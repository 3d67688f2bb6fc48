package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.BackendContract;

/** Steps of small networks at every level. */
final class GpuBackendContractTest extends BackendContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
