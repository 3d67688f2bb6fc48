package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.HalfTroubleContract;
import org.junit.jupiter.api.Tag;

/** Where halves overflow and vanish. */
@Tag("either")
final class GpuHalfTroubleContractTest extends HalfTroubleContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
