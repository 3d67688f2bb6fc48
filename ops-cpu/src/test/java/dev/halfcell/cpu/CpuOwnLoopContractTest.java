package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.OwnLoopContract;

/** Loops of one's own. */
final class CpuOwnLoopContractTest extends OwnLoopContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
