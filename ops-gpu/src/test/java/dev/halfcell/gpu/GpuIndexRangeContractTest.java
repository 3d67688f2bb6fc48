package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.IndexRangeContract;

final class GpuIndexRangeContractTest extends IndexRangeContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
