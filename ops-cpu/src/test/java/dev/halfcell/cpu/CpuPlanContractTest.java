package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.PlanContract;

/** How plans are used. */
final class CpuPlanContractTest extends PlanContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
