package dev.halfcell.gpu.driver;

import org.junit.jupiter.api.Tag;

/** The functions of loss scales on the emulated GPU. */
@Tag("rig")
final class StrictTest extends StrictContract {
  private final EmulatedGpu rig = EmulatedGpu.build();

  @Override
  GpuDevice openDevice() {
    return rig.open();
  }
}
