package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.NumericsContract;

/** How plans are used. */
final class CpuNumericsContractTest extends NumericsContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
