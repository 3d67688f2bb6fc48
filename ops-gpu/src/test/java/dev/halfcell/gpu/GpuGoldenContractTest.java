package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.GoldenContract;

final class GpuGoldenContractTest extends GoldenContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
