package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.SureLossContract;

/** Losses near 0. */
final class CpuSureLossTest extends SureLossContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
