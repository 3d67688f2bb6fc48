package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.IndexRangeContract;

/** Indices that are out of range. */
final class CpuIndexRangeTest extends IndexRangeContract {
  @Override
  protected Backend open() {
    return CpuBackend.open(2);
  }
}
