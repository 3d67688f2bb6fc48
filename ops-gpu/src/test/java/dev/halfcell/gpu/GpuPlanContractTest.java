package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.PlanContract;

/** How plans are used. */
final class GpuPlanContractTest extends PlanContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
