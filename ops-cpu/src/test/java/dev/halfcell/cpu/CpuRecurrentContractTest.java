package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RecurrentContract;

/** Products in half where this CPU has them, on two threads. */
final class CpuRecurrentContractTest extends RecurrentContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
