package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.OwnLoopContract;
import org.junit.jupiter.api.Tag;

/** Training loops of users. */
@Tag("either")
final class GpuOwnLoopContractTest extends OwnLoopContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
