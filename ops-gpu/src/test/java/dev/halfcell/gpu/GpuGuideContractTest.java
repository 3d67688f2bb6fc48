package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.GuideContract;

/** What the guide shows. */
final class GpuGuideContractTest extends GuideContract {
  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
