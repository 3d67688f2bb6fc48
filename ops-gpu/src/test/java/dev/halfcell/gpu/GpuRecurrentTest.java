package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.testkit.RecurrentContract;
import java.util.List;
import java.util.Optional;

/** Recurrent layers in half, where states are rounded between steps. */
final class GpuRecurrentTest extends RecurrentContract {
  private final EmulatedGpu rig = EmulatedGpu.build();

  @Override
  protected Backend open() {
    rig.recover();
    return GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of()));
  }
}
