package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.LossScaleContract;
import org.junit.jupiter.api.Tag;

/**
 * Scales of any rule step by step, which takes a rig minutes; {@link ScaleOnRigTest} is what {@code
 * -Prig} runs.
 */
@Tag("either")
@Tag("slow")
final class GpuLossScaleContractTest extends LossScaleContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
