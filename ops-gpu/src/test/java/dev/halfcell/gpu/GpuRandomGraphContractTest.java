package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RandomGraphContract;
import org.junit.jupiter.api.Tag;

/** Graphs of any ops. */
@Tag("either")
final class GpuRandomGraphContractTest extends RandomGraphContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
