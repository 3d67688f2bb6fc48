package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.HalfTroubleContract;

/** Where halves overflow and vanish. */
final class GpuHalfTroubleContractTest extends HalfTroubleContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
