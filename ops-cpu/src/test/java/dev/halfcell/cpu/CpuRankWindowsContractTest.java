package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.RankWindowsContract;

/** Windows of several ranks. */
final class CpuRankWindowsContractTest extends RankWindowsContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
