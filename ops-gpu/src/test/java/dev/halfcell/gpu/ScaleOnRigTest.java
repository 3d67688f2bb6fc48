package dev.halfcell.gpu;

import dev.halfcell.gpu.driver.EmulatedGpu;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** Loss scales of any rule, on the emulated GPU. */
@Tag("rig")
final class ScaleOnRigTest extends ScaleContract {
  private final EmulatedGpu rig = EmulatedGpu.build();

  @Override
  GpuBackend openBackend() {
    rig.recover();
    return GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of()));
  }
}
