package dev.halfcell.gpu;

import org.junit.jupiter.api.Tag;

/** All parameters moved together, on the machine's own GPU. */
@Tag("gpu")
final class UpdateAllOnGpuTest extends UpdateAllContract {
  @Override
  GpuBackend openBackend() {
    return TestedGpu.own();
  }
}
