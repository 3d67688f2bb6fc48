package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.BackendContract;

/** Whole training steps, eager, plain and full. */
final class CpuBackendContractTest extends BackendContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
