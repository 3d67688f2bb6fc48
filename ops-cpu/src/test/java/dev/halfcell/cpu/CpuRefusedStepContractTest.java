package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RefusedStepContract;

/** Steps that are refused, and tried again. */
final class CpuRefusedStepContractTest extends RefusedStepContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
