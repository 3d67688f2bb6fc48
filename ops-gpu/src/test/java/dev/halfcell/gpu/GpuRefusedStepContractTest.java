package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RefusedStepContract;

/** Steps that move nothing. */
final class GpuRefusedStepContractTest extends RefusedStepContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
