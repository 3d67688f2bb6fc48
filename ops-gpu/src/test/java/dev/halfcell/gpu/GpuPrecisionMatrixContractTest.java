package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.PrecisionMatrixContract;
import org.junit.jupiter.api.Tag;

/** Every cell at every precision, which takes a rig minutes. */
@Tag("either")
@Tag("slow")
final class GpuPrecisionMatrixContractTest extends PrecisionMatrixContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
