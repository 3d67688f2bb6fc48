package dev.halfcell.gpu;

import org.junit.jupiter.api.Tag;

/** Sums that are rounded after each product, on the machine's own GPU. */
@Tag("gpu")
final class RoundedSumsOnGpuTest extends RoundedSumsContract {
  @Override
  GpuBackend openBackend() {
    return TestedGpu.own();
  }
}
