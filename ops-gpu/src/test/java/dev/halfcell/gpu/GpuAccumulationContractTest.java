package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.AccumulationContract;
import org.junit.jupiter.api.Tag;

/** Gradients that are gathered over several batches. */
@Tag("either")
final class GpuAccumulationContractTest extends AccumulationContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
