package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.gpu.driver.EmulatedGpu;
import java.util.List;
import java.util.Optional;

/** The GPU backend on the emulated GPU, with no library of NVIDIA. */
final class RigBackend {
  private RigBackend() {}

  static Backend open() {
    EmulatedGpu rig = EmulatedGpu.build();
    rig.recover();
    return GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of()));
  }
}
