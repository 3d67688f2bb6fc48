package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RandomContract;

/** Dropout and its like. */
final class GpuRandomContractTest extends RandomContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
