package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.OwnLoopContract;

/** Training loops of users. */
final class GpuOwnLoopContractTest extends OwnLoopContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
