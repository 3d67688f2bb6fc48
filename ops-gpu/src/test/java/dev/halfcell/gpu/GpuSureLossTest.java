package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.SureLossContract;
import org.junit.jupiter.api.Tag;

/** Losses near 0, computed in FP32 all through. */
@Tag("either")
final class GpuSureLossTest extends SureLossContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
