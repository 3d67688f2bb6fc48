package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.CellContract;

final class CpuCellContractTest extends CellContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
