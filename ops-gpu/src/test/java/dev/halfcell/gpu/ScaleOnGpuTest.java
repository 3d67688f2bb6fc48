package dev.halfcell.gpu;

import org.junit.jupiter.api.Tag;

/** Loss scales of any rule, on the machine's own GPU. */
@Tag("gpu")
final class ScaleOnGpuTest extends ScaleContract {
  @Override
  GpuBackend openBackend() {
    return TestedGpu.own();
  }
}
