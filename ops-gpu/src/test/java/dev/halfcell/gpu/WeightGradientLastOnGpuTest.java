package dev.halfcell.gpu;

import org.junit.jupiter.api.Tag;

/** The same by NVIDIA's own libraries, on the machine's own GPU. */
@Tag("gpu")
final class WeightGradientLastOnGpuTest extends WeightGradientLastContract {
  @Override
  GpuBackend openBackend() {
    return TestedGpu.libraries();
  }
}
