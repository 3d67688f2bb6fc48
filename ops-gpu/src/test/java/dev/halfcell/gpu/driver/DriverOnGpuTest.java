package dev.halfcell.gpu.driver;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The driver layer on the machine's own GPU. */
@Tag("gpu")
final class DriverOnGpuTest extends DriverContract {
  @Override
  GpuDevice openDevice() {
    return GpuDevice.open(Optional.empty(), 0);
  }

  @Override
  void shuffle(long seed) {}

  @Test
  void theDeviceSaysWhatItIs() {
    assertTrue(device().capability() >= 80, "capability " + device().capability());
    assertTrue(device().driverVersion() >= 12000, "driver " + device().driverVersion());
    assertTrue(device().freeBytes() <= device().totalBytes());
    assertTrue(!device().name().isBlank());
  }
}
