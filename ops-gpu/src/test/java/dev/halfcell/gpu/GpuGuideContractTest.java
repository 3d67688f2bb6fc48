package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.GuideContract;
import org.junit.jupiter.api.Tag;

/** What the guide shows. */
@Tag("either")
final class GpuGuideContractTest extends GuideContract {
  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
