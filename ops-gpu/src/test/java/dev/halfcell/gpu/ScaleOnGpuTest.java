package dev.halfcell.gpu;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** Loss scales of any rule, on the machine's own GPU. */
@Tag("gpu")
final class ScaleOnGpuTest extends ScaleContract {
  @Override
  GpuBackend openBackend() {
    return GpuBackend.open(Optional.empty(), Optional.of(List.of()));
  }
}
