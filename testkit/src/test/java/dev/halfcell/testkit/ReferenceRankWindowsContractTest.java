package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;

final class ReferenceRankWindowsContractTest extends RankWindowsContract {
  @Override
  protected Backend open() {
    return new ReferenceBackend();
  }
}
