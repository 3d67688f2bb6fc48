package dev.halfcell.gpu;

import dev.halfcell.gpu.driver.EmulatedGpu;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** Fused works, on the emulated GPU. */
@Tag("rig")
final class FusedWorksOnRigTest extends FusedWorksContract {
  private final EmulatedGpu rig = EmulatedGpu.build();

  @Override
  GpuBackend openBackend() {
    rig.recover();
    return GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of()));
  }
}
