package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RandomContract;
import org.junit.jupiter.api.Tag;

/** Dropout and its like. */
@Tag("either")
final class GpuRandomContractTest extends RandomContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
