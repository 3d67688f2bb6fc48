package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RandomGraphContract;

/** Graphs of any ops. */
final class GpuRandomGraphContractTest extends RandomGraphContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
