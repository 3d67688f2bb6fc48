package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.SureLossContract;

/** Losses near 0, computed in FP32 all through. */
final class GpuSureLossTest extends SureLossContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
