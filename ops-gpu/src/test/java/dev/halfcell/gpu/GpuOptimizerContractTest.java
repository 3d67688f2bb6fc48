package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.OptimizerContract;
import org.junit.jupiter.api.Tag;

/** Every optimizer trains a line, which takes a rig minutes. */
@Tag("either")
@Tag("slow")
final class GpuOptimizerContractTest extends OptimizerContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
