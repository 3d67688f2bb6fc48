package dev.halfcell.gpu;

import dev.halfcell.gpu.driver.EmulatedGpu;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** Sums that are rounded after each product, on the emulated GPU. */
@Tag("rig")
final class RoundedSumsOnRigTest extends RoundedSumsContract {
  private final EmulatedGpu rig = EmulatedGpu.build();

  @Override
  GpuBackend openBackend() {
    rig.recover();
    return GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of()));
  }
}
