package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RefusedStepContract;

final class GpuRefusedStepContractTest extends RefusedStepContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
