package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.NumericsContract;
import org.junit.jupiter.api.Tag;

/** What training tells of its numbers. */
@Tag("either")
final class GpuNumericsContractTest extends NumericsContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
