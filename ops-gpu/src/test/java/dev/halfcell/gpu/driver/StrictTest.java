package dev.halfcell.gpu.driver;

/** The functions of loss scales on the emulated GPU. */
final class StrictTest extends StrictContract {
  private final EmulatedGpu rig = EmulatedGpu.build();

  @Override
  GpuDevice openDevice() {
    return rig.open();
  }
}
