package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.GoldenContract;

/** The golden vectors of ops and optimizers. */
final class GpuGoldenContractTest extends GoldenContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
