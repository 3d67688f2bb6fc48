package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.OptimizerContract;

/** How plans are used. */
final class CpuOptimizerContractTest extends OptimizerContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
