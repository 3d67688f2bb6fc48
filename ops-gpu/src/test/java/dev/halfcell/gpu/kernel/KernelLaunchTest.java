package dev.halfcell.gpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.gpu.driver.GpuDevice;
import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Launches of kernels whose threads take runs of neighbours. */
@Tag("rig")
final class KernelLaunchTest {
  private final EmulatedGpu rig = EmulatedGpu.build();
  private GpuDevice device;
  private KernelLibrary kernels;

  @BeforeEach
  void open() {
    rig.recover();
    device = GpuDevice.open(Optional.of(rig.library()), 0);
    kernels = new KernelLibrary(device);
  }

  @AfterEach
  void close() {
    kernels.close();
    device.close();
  }

  private Launch relu(long n, long address) {
    GpuKernel kernel = kernels.kernel("elementwise", "relu_fp16");
    Argument x = new Argument.Address(new DeviceMemory(address, 2 * n));
    return KernelLaunch.runs(kernel, n, List.of(x, x, new Argument.Int64(n)));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2048, 1", "2049, 2", "4096, 2", "4097, 3"})
  void aThreadHasARunAndTheLastOneWhatIsLeft(long n, int blocks) {
    KernelLaunch launch = (KernelLaunch) relu(n, 4096);
    assertEquals(Size.of(blocks), launch.grid());
    assertEquals(Size.of(256), launch.block());
  }

  @ParameterizedTest
  @ValueSource(longs = {4098, 4100, 4104})
  void memoryOffTheBoundariesOfRunsIsRefused(long address) {
    assertThrows(IllegalArgumentException.class, () -> relu(8, address));
  }
}
