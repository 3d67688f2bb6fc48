package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.HalfTroubleContract;

/** What half does not hold. */
final class CpuHalfTroubleContractTest extends HalfTroubleContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
