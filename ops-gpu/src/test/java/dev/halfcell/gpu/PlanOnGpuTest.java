package dev.halfcell.gpu;

import org.junit.jupiter.api.Tag;

/** A training step by own kernels on the machine's own GPU. */
@Tag("gpu")
final class PlanOnGpuTest extends DevicePlanContract {
  @Override
  GpuBackend openBackend() {
    return TestedGpu.own();
  }
}
