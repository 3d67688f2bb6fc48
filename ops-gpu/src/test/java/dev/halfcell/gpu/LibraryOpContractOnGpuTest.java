package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.OpContract;
import org.junit.jupiter.api.Tag;

/** Every op that the GPU backend computes, with what libraries the machine has, on its own GPU. */
@Tag("gpu")
final class LibraryOpContractOnGpuTest extends OpContract {
  @Override
  protected Backend open() {
    return TestedGpu.libraries();
  }
}
