package dev.halfcell.gpu;

import org.junit.jupiter.api.Tag;

/** Updates of many sizes, on the machine's own GPU. */
@Tag("gpu")
final class UpdatesOnGpuTest extends UpdatesContract {
  @Override
  GpuBackend openBackend() {
    return TestedGpu.own();
  }
}
