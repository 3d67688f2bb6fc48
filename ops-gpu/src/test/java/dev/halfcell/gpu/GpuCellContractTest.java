package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.CellContract;

/** Every cell. */
final class GpuCellContractTest extends CellContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
