package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.GoldenContract;
import org.junit.jupiter.api.Tag;

/** The golden vectors of ops and optimizers. */
@Tag("either")
final class GpuGoldenContractTest extends GoldenContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
