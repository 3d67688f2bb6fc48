package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.GuideContract;

/** MindSpore's guide. */
final class CpuGuideContractTest extends GuideContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
