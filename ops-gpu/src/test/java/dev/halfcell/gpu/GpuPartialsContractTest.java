package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.PartialsContract;
import org.junit.jupiter.api.Tag;

/** A training whose sums are kept in half. */
@Tag("either")
final class GpuPartialsContractTest extends PartialsContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
