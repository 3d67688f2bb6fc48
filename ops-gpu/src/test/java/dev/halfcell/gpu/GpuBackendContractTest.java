package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.BackendContract;
import org.junit.jupiter.api.Tag;

/** Steps of small networks at every level. */
@Tag("either")
final class GpuBackendContractTest extends BackendContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
