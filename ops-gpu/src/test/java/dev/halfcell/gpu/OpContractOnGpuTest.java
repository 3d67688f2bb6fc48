package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.OpContract;
import org.junit.jupiter.api.Tag;

/** Every op that the GPU backend computes, by own kernels, on the machine's own GPU. */
@Tag("gpu")
final class OpContractOnGpuTest extends OpContract {
  @Override
  protected Backend open() {
    return TestedGpu.own();
  }
}
