package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RefusedStepContract;
import org.junit.jupiter.api.Tag;

/** Steps that move nothing. */
@Tag("either")
final class GpuRefusedStepContractTest extends RefusedStepContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
