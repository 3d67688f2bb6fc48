package dev.halfcell.gpu;

import org.junit.jupiter.api.Tag;

/** Fused works, on the machine's own GPU. */
@Tag("gpu")
final class FusedWorksOnGpuTest extends FusedWorksContract {
  @Override
  GpuBackend openBackend() {
    return TestedGpu.own();
  }
}
