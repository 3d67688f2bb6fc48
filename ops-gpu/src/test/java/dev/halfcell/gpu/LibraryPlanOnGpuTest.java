package dev.halfcell.gpu;

import org.junit.jupiter.api.Tag;

/** A training step with what libraries the machine has, on its own GPU. */
@Tag("gpu")
final class LibraryPlanOnGpuTest extends DevicePlanContract {
  @Override
  GpuBackend openBackend() {
    return TestedGpu.libraries();
  }
}
