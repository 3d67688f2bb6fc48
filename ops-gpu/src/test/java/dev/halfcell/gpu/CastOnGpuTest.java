package dev.halfcell.gpu;

import org.junit.jupiter.api.Tag;

/** Casts between all dtypes, on the machine's own GPU. */
@Tag("gpu")
final class CastOnGpuTest extends CastContract {
  @Override
  GpuBackend openBackend() {
    return TestedGpu.own();
  }
}
