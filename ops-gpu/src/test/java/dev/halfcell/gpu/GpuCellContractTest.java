package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.CellContract;
import org.junit.jupiter.api.Tag;

/** Every cell. */
@Tag("either")
final class GpuCellContractTest extends CellContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
