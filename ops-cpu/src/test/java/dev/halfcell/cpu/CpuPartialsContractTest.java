package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.PartialsContract;

/** Whether sums may be kept in half. */
final class CpuPartialsContractTest extends PartialsContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
