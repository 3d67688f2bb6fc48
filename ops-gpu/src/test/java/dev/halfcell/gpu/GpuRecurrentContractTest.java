package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RecurrentContract;

final class GpuRecurrentContractTest extends RecurrentContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
