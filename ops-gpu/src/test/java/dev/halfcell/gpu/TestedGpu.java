package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.gpu.driver.GpuDevice;
import java.util.List;
import java.util.Optional;

/**
 * The GPU that tests tagged "either" are held to: the emulated one, by own kernels; or the
 * machine's own, where {@code -Dhalfcell.tested.gpu} is {@code own} (by own kernels) or {@code
 * libraries} (by what libraries of NVIDIA it has).
 */
final class TestedGpu {
  private TestedGpu() {}

  /**
   * The machine's own GPU, open from the first test to the end of the process: opening it takes
   * half a second, and longer where other processes do so too.
   */
  private static final class Kept {
    static final GpuDevice DEVICE = GpuDevice.open(Optional.empty(), 0);

    private Kept() {}
  }

  /** Opens the machine's own GPU with own kernels alone. */
  static GpuBackend own() {
    Kept.DEVICE.enter();
    return GpuBackend.open(Optional.empty(), Optional.of(List.of()));
  }

  /** Opens the machine's own GPU with what libraries of NVIDIA it has. */
  static GpuBackend libraries() {
    Kept.DEVICE.enter();
    return (GpuBackend) new GpuProvider().open(1);
  }

  static Backend open() {
    String tested = System.getProperty("halfcell.tested.gpu", "rig");
    return switch (tested) {
      case "rig" -> onRig();
      case "own" -> own();
      case "libraries" -> libraries();
      default ->
          throw new IllegalArgumentException(
              "-Dhalfcell.tested.gpu: expected rig, own or libraries, got " + tested);
    };
  }

  private static Backend onRig() {
    EmulatedGpu rig = EmulatedGpu.build();
    rig.recover();
    return GpuBackend.open(Optional.of(rig.library()), Optional.of(List.of()));
  }
}
