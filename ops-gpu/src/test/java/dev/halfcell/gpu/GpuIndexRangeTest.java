package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.testkit.IndexRangeContract;
import java.util.List;
import java.util.Optional;

/** Indices out of range, which kernels note and the host tells of. */
final class GpuIndexRangeTest extends IndexRangeContract {
  private final EmulatedGpu rig = EmulatedGpu.build();

  @Override
  protected Backend open() {
    rig.recover();
    return GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of()));
  }
}
