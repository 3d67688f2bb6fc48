package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.IndexRangeContract;
import org.junit.jupiter.api.Tag;

/** Indices out of range, which kernels note and the host tells of. */
@Tag("either")
final class GpuIndexRangeTest extends IndexRangeContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
