package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RandomGraphContract;

final class CpuRandomGraphTest extends RandomGraphContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
