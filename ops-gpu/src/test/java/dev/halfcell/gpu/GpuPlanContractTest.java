package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.PlanContract;
import org.junit.jupiter.api.Tag;

/** How plans are used. */
@Tag("either")
final class GpuPlanContractTest extends PlanContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
