package dev.halfcell.gpu.driver;

import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** The functions of loss scales on the machine's own GPU. */
@Tag("gpu")
final class StrictOnGpuTest extends StrictContract {
  @Override
  GpuDevice openDevice() {
    return GpuDevice.open(Optional.empty(), 0);
  }
}
