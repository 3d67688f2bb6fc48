package dev.halfcell.gpu;

import dev.halfcell.gpu.driver.EmulatedGpu;
import java.util.List;
import java.util.Optional;

/** Updates of many sizes, on the emulated GPU. */
final class UpdatesOnRigTest extends UpdatesContract {
  private final EmulatedGpu rig = EmulatedGpu.build();

  @Override
  GpuBackend openBackend() {
    rig.recover();
    return GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of()));
  }
}
