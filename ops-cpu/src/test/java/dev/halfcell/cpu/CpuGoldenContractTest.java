package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.GoldenContract;

/** What another framework computed. */
final class CpuGoldenContractTest extends GoldenContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
