package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RandomContract;

final class CpuRandomContractTest extends RandomContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(3);
  }
}
