package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RanksContract;

/** How plans are used. */
final class CpuRanksContractTest extends RanksContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
